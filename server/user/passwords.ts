import { PASSWORD_MIN } from '#src/contract/user.ts'
import { commonText, easyToGuess, readCommon } from '#src/domain/app/passwords.ts'
import { once } from '#server/outside/once.ts'

/** The list is read when the first student chooses a password, because unpacking it takes time. */
const common = once(async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return readCommon(commonText(dictionary['passwords-common'], PASSWORD_MIN))
})

/** Says in Chinese why the student of this mobile may not have this password; null when they may. */
export const guessed = async (password: string, mobile: string): Promise<string | null> =>
  easyToGuess(password, await common(), mobile)

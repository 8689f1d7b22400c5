import { PASSWORD_MIN } from '#src/contract/user.ts'
import { commonText, easyToGuess, readCommon } from '#src/domain/passwords.ts'

let common: Promise<ReadonlySet<string>> | null = null
/** Read when the first student chooses a password: unpacking the list takes a tenth of a second. */
const readList = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return readCommon(commonText(dictionary['passwords-common'], PASSWORD_MIN))
}

/** Why the student of this mobile may not have this password; null when they may. */
export const guessed = async (password: string, mobile: string): Promise<string | null> =>
  easyToGuess(password, await (common ??= readList()), mobile)

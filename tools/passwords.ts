import { dictionary } from '@zxcvbn-ts/language-common'
import type { Plugin } from 'vite'
import { PASSWORD_MIN } from '../src/contract/user.ts'
import { commonText } from '../src/domain/app/passwords.ts'

const ID = 'virtual:passwords'

/** `virtual:passwords`: the text of all common passwords (src/domain/app/passwords.ts), for who chooses one. */
export const passwords = (): Plugin => ({
  name: 'passwords',
  resolveId: (id) => (id === ID ? `\0${ID}` : null),
  load: (id) =>
    id === `\0${ID}`
      ? `export default ${JSON.stringify(commonText(dictionary['passwords-common'], PASSWORD_MIN))}`
      : null,
})

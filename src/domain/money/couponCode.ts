/** 兑换码, as they are typed: from paper, by thumb, in either case, with or without what separates their groups. */

/** Nothing that is read as something else: no 0 and O, no 1, I and L. A prime number of signs, for the check sign. */
export const CODE_SIGNS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
/** Drawn at random: 74 bits. A check sign follows. */
export const CODE_RANDOM = 15
const CODE_LENGTH = CODE_RANDOM + 1
const GROUP = 4
/** An operator's own word (--code) is never as long as a drawn code, and so has no check sign. */
const WORD = /^[A-Z0-9]{6,12}$/

export const CODE_MISTYPED = '兑换码输入有误，请对照原文检查'
export const WORD_RULE = '自定的码应为 6 到 12 位字母或数字'

/** Finds any one wrong sign, and any two that changed places. */
function checkSign(signs: string): string {
  const sum = Array.from(signs).reduce((all, sign, at) => all + (at + 1) * CODE_SIGNS.indexOf(sign), 0)
  return CODE_SIGNS[sum % CODE_SIGNS.length] ?? ''
}

/** @param drawn CODE_RANDOM numbers below the count of signs */
export function codeOf(drawn: readonly number[]): string {
  const signs = drawn.map((at) => CODE_SIGNS[at] ?? '').join('')
  return signs + checkSign(signs)
}

/** As it is printed: 4 by 4. */
export const codeText = (code: string): string =>
  code.length === CODE_LENGTH ? (code.match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-') : code

/** A code in its one form; null: it was mistyped, which is known without asking anybody. */
export function readCode(typed: string): string | null {
  const code = typed
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
  if (WORD.test(code)) return code
  if (code.length !== CODE_LENGTH || Array.from(code).some((sign) => !CODE_SIGNS.includes(sign))) return null
  return checkSign(code.slice(0, CODE_RANDOM)) === code.at(-1) ? code : null
}

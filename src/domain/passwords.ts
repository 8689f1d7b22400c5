/** As many of the passwords that people choose most are not taken. */
const COMMON = 10_000
/** What a list by frequency does not hold although Chinese students choose it: homophones (520, 1314), keys in a row, the trade. */
const CHINESE = (
  'woaini520 woaini521 woaini123 woaini1314 woaini5201314 aini1314 aini5201314 iloveyou520 5201314520 52013145 ' +
  '520131400 13145201314 1314520520 a5201314 a1314520 5201314a abc5201314 qq123456 qq12345678 qq5201314 wang1234 ' +
  'zhang123 wo123456 nihao123 woshishui mima1234 mima123456 jiefangjun junkao123 jiayou123 zhongguo zhongguo123 ' +
  'beijing2008 1qaz2wsx3edc qweasdzxc asdf123456 zxcvbnm123 abcd123456 aa123456 aa12345678 abc12345678'
).split(' ')

/** A line for each common password of this many characters or more, from a list whose first is the most common. */
export const commonText = (byFrequency: readonly string[], minLength: number): string =>
  [...byFrequency.slice(0, COMMON), ...CHINESE].filter(({ length }) => length >= minLength).join('\n')

/** Reads `commonText`. */
export const readCommon = (text: string): ReadonlySet<string> => new Set(text.split('\n'))

/** Why a password is too easy to guess, in Chinese; null when it is not. Large and small letters do not make it another one. */
export function easyToGuess(password: string, common: ReadonlySet<string>, mobile?: string): string | null {
  const typed = password.trim().toLowerCase()
  if (mobile && typed.includes(mobile)) return '密码里不要有自己的手机号，容易被人猜中，请换一个'
  return common.has(typed) || new Set(typed).size < 3 ? '这个密码太常见，容易被人猜中，请换一个' : null
}

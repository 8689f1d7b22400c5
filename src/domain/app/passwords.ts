/** We refuse this many of the passwords that people choose most. */
const COMMON = 10_000
/** Chinese students choose these, and no international list holds them: homophones (520, 1314), keys in a row, words of the trade. */
const CHINESE = (
  'woaini520 woaini521 woaini123 woaini1314 woaini5201314 aini1314 aini5201314 iloveyou520 5201314520 52013145 ' +
  '520131400 13145201314 1314520520 a5201314 a1314520 5201314a abc5201314 qq123456 qq12345678 qq5201314 wang1234 ' +
  'zhang123 wo123456 nihao123 woshishui mima1234 mima123456 jiefangjun junkao123 jiayou123 zhongguo zhongguo123 ' +
  'beijing2008 1qaz2wsx3edc qweasdzxc asdf123456 zxcvbnm123 abcd123456 aa123456 aa12345678 abc12345678'
).split(' ')

/**
 * Writes a line for each common password of at least `minLength` characters.
 * @param byFrequency passwords in small letters, the most common first
 */
export const commonText = (byFrequency: readonly string[], minLength: number): string =>
  [...byFrequency.slice(0, COMMON), ...CHINESE].filter(({ length }) => length >= minLength).join('\n')

/** Reads `commonText`. */
export const readCommon = (text: string): ReadonlySet<string> => new Set(text.split('\n'))

/**
 * Says in Chinese why a password is too easy to guess; null when it is not. Large letters make no difference, nor the wide ones and
 * figures of a Chinese keyboard.
 */
export function easyToGuess(password: string, common: ReadonlySet<string>, mobile?: string): string | null {
  const typed = password.normalize('NFKC').trim().toLowerCase()
  if (mobile && typed.includes(mobile)) return '密码里不要有自己的手机号，容易被人猜中，请换一个'
  return common.has(typed) || new Set(typed).size < 3 ? '这个密码太常见，容易被人猜中，请换一个' : null
}

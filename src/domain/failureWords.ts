/** Told where nothing better is known. */
const FAILED = '操作没有完成，请刷新页面后重试'

/** What is to be done about a failure, by its class: of ours without words of their own, and of those that browsers throw. */
const BY_NAME: Record<string, string> = {
  OfflineError: '当前没有网络，联网后会自动再试',
  UnauthorizedError: '登录已过期，请重新登录',
  RefusedError: '服务器没有接受这次操作，请刷新页面后重试',
  QuotaExceededError: '本机空间不足，请清理空间后重试',
  NotAllowedError: '浏览器没有允许这项操作，请在浏览器设置里允许后重试',
  SecurityError: '浏览器没有允许这项操作，请在浏览器设置里允许后重试',
  NotReadableError: '文件读不出来，请重新选择文件',
  AbortError: '操作已取消，可以重试',
  TimeoutError: '等了很久没有回应，请重试',
}
/** Of our words some say only what is wrong. */
const ADVICE: Record<string, string> = {
  本机空间不足: '请清理空间后重试',
  本机存储没有响应: '请关闭其他标签页后重试',
  本机数据是别的版本: '请关闭其他标签页后刷新',
  本机存储不可用: '请检查浏览器是否允许保存网站数据',
}

/** Browsers and libraries speak English, also of a text in Chinese that they could not read. */
const ENGLISH = /^(?:Syntax|Type|Range|Reference|Eval|URI|Aggregate)Error$/
const isOurs = (name: string, words: string): boolean => /\p{Script=Han}/u.test(words) && !ENGLISH.test(name)

/**
 * What a student is told of anything that was thrown: in Chinese, what happened and what to do. Every screen that shows a failure
 * gets its words here (tests/app/failureWords.test.tsx).
 * @param otherwise what is told of a failure that says nothing to a student
 */
export function wordsOf(error: unknown, otherwise = FAILED): string {
  const [name, said] = read(error)
  const own = isOurs(name, said) ? said : ''
  if (own !== '' && ADVICE[own] !== undefined) return `${own}，${ADVICE[own]}`
  // What nobody has answered is no network to a student, whatever our code found.
  if (own !== '' && name !== 'OfflineError') return own
  return BY_NAME[name] ?? otherwise
}

/** Name and message; a DOMException is no Error everywhere. */
function read(error: unknown): [name: string, said: string] {
  if (typeof error === 'string') return ['', error]
  if (typeof error !== 'object' || error === null) return ['', '']
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return [text(Reflect.get(error, 'name')), text(Reflect.get(error, 'message'))]
}

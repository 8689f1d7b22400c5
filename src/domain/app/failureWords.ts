/** What a student is told of a fault of the server or of the storage (spec §8). */
export const SERVER_FAULT = '服务器开小差了，稍后再试试!'
/** A student reads this where nothing better is known. */
const FAILED = '操作没有完成，请刷新页面后重试'
const NOT_LOADED = '这部分功能没有加载出来，请联网后刷新页面再试'

/** What is to be done about a failure, by its class: of ours without words of their own, and of those that browsers throw. */
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ['OfflineError', '当前没有网络，联网后会自动再试'],
  ['UnauthorizedError', '登录已过期，请重新登录'],
  ['RefusedError', '操作没有成功，请刷新页面后重试'],
  ['ServerFaultError', SERVER_FAULT],
  ['QuotaExceededError', '存储空间不足，请清理空间后重试'],
  // Firefox says so of a full disk.
  ['NS_ERROR_FILE_NO_DEVICE_SPACE', '存储空间不足，请清理空间后重试'],
  ['NotAllowedError', '浏览器没有允许这项操作，请在浏览器设置里允许后重试'],
  ['SecurityError', '浏览器没有允许这项操作，请在浏览器设置里允许后重试'],
  ['InvalidStateError', '本地存储没有响应，请刷新页面后重试'],
  ['VersionError', '本地数据的版本不同，请关闭其他标签页后刷新'],
  ['NotReadableError', '文件无法读取，请重新选择'],
  ['NotSupportedError', '这个浏览器不支持这项操作，请换一个浏览器再试'],
  ['AbortError', '操作已中断，请再试一次'],
  ['TimeoutError', '等待超时，请重试'],
])

/**
 * Our own classes whose message is written for students. Chinese alone is no sign of it: a browser and a library quote Chinese in
 * an English message. A new class of errors must be in this list or in the one of tests/app/failureWords.test.tsx.
 */
const SPEAKING: ReadonlySet<string> = new Set([
  'RefusedError',
  'UnauthorizedError',
  'ServerFaultError',
  'StorageError',
  'NotTakenError',
  'RescueError',
  'UnplayableError',
  'NoExamError',
  'PictureFault',
])

// A fetch that fails and a file of the app that does not come have no class of their own: each browser has a sentence for them.
const FETCH_FAILED = /^(?:Failed to fetch|NetworkError when attempting|Load failed|The network connection was lost)/
const FILE_FAILED = /dynamically imported module|Importing a module script failed|Unable to preload CSS/

const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text)

/** Tells whether nobody has answered, as our client says it or as a browser does. */
export function isAway(error: unknown): boolean {
  const [name, said] = read(error)
  if (name === 'OfflineError' || name === 'NetworkError') return true
  return name === 'TypeError' && FETCH_FAILED.test(said) && !FILE_FAILED.test(said)
}

/**
 * What a student is told of anything that was thrown: in Chinese, what happened and what to do. Every screen that shows a failure
 * gets its words here (tests/app/failureWords.test.tsx).
 * @param otherwise what is told of a failure that says nothing to a student
 */
export function wordsOf(error: unknown, otherwise = FAILED): string {
  const [name, said] = read(error)
  if (SPEAKING.has(name) && isChinese(said)) return said
  // What nobody has answered is no network to a student, whatever our code found.
  if (isAway(error)) return BY_NAME.get('OfflineError') ?? otherwise
  if (FILE_FAILED.test(said)) return NOT_LOADED
  return BY_NAME.get(name) ?? otherwise
}

/** A StorageError's kind tells why a device has not kept something, and what helps. */
const UNKEPT: ReadonlyMap<string, readonly [why: string, help: string]> = new Map([
  ['quota', ['存储空间不足', '清理出空间后再试']],
  ['timeout', ['本地存储没有响应', '稍后再试']],
  ['lost', ['本地存储已断开', '刷新页面后再试']],
])
const unkeptBy = (error: unknown) => {
  const kind: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'kind') : ''
  return UNKEPT.get(String(kind)) ?? (['本地存储写入失败', '请再试一次'] as const)
}
/** Returns what a student is told of something that the device has not kept: why, what stands as it was, and what helps. */
export function unkeptWords(error: unknown, besides = ''): string {
  const [why, help] = unkeptBy(error)
  return [why, besides, help].filter(Boolean).join('，')
}

/** The first Chinese one of a schema's messages, whose defaults are English. */
export const chineseOf = (messages: readonly string[]): string | undefined => messages.find(isChinese)

/** What is told beside a field whose schema has these messages; nothing where it has none. */
export const faultOf = (messages: readonly string[] | undefined): string | undefined =>
  messages && (chineseOf(messages) ?? '请检查这一项')

/** Name and message; a DOMException is no Error everywhere. */
function read(error: unknown): [name: string, said: string] {
  if (typeof error !== 'object' || error === null) return ['', '']
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return [text(Reflect.get(error, 'name')), text(Reflect.get(error, 'message'))]
}

import { FileFault } from '#server/content/draft.ts'
import { EmbeddedError } from '#server/db/embeddedError.ts'
import { troubleOf } from '#server/db/troubles.ts'

const FILES: Readonly<Record<string, string>> = {
  ENOENT: '文件或文件夹不存在',
  ENOTDIR: '路径里有一段不是文件夹',
  EISDIR: '是一个文件夹',
  EACCES: '没有权限',
  EPERM: '没有权限',
  EROFS: '那里是只读的',
  ENOSPC: '磁盘没有空间了',
}
const DATABASE: Readonly<Record<string, string>> = {
  ECONNREFUSED: '没有数据库在那里',
  ENOTFOUND: '没有这台主机',
  ETIMEDOUT: '没有回答',
  ECONNRESET: '连接断了',
  '28P01': '密码不对',
  '28000': '账号不能登录',
  '3D000': '没有这个数据库',
}
export const DISK_FULL = '磁盘已满：没有写完的都不会留下，请清理磁盘后重新执行（npm run doctor 显示剩余空间）'
const OPTIONS: Readonly<Record<string, string>> = {
  ERR_PARSE_ARGS_UNKNOWN_OPTION: '没有这个选项',
  ERR_PARSE_ARGS_INVALID_OPTION_VALUE: '这个选项的值不对或没有写',
  ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL: '多了一个参数',
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '')

/** What ended a command, for an operator who can mend it; null: it is a fault of the program. */
export function explained(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof FileFault || error instanceof EmbeddedError) return error.message
  const code = codeOf(error)
  const place = 'path' in error ? `${String(error.path)}：` : ''
  if (place !== '' && FILES[code]) return `无法读写 ${place}${FILES[code]}`
  if (troubleOf(error) === 'full') return DISK_FULL
  if (DATABASE[code]) return `连不上数据库：${DATABASE[code]}，请检查 DATABASE_URL`
  if (error.message.startsWith('Connection terminated')) return '与数据库的连接断了：没有写完的都不会留下，可以重新执行'
  return null
}

export const brokenPipe = (error: unknown): boolean => error instanceof Error && codeOf(error) === 'EPIPE'

/** Of options that cannot be read: what is wrong. */
export function wrongUse(error: unknown): string {
  const words = error instanceof Error ? (OPTIONS[codeOf(error)] ?? error.message) : ''
  const [, named = ''] = (error instanceof Error && /'([^']+)'/.exec(error.message)) || []
  return `${words}${named && `：${named}`}`
}

/** Why the database or the disk cannot serve now, although nothing is wrong with what was asked. */
export type Trouble = 'away' | 'full'

/** The network first, then PostgreSQL that stops, has crashed, starts or has no connection left; class 08 is the connection. */
const AWAY = new Set(
  (
    'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH EAI_AGAIN ENOTFOUND ' +
    '57P01 57P02 57P03 53300 08000 08001 08003 08004 08006'
  ).split(' '),
)
const FULL = new Set(['53100', 'ENOSPC', 'EDQUOT'])
/** pg gives errors of its own connections no code. */
const LOST_CONNECTION =
  /^(Connection terminated|Client (was closed|has encountered a connection error)|timeout exceeded when trying to connect)/

/** What keeps the server from doing now what it can do later; null when the error is of another kind. */
export function troubleOf(error: unknown): Trouble | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error ? String(error.code) : ''
  if (FULL.has(code)) return 'full'
  // The socket's file is missing.
  const isUnheard = code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
  return isUnheard || AWAY.has(code) || LOST_CONNECTION.test(error.message) ? 'away' : null
}

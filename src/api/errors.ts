import { isAway, SERVER_FAULT, wordsOf } from '#src/domain/app/failureWords.ts'

/** The four ways a call fails. What the student is told of each: failureWords. */

/** Nobody answered, or something that is not our server did (captive portal, time-out). Trying later can help. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError'
}
/**
 * Why there is no login: its time is over; the student, or whoever runs the site, has ended it from elsewhere, so that what is theirs
 * must not be shown any more; or a visitor never had one.
 */
export type NoLogin = 'expired' | 'ended' | 'visitor'
const NO_LOGIN: Record<NoLogin, string> = {
  expired: '登录已过期，请重新登录',
  ended: '登录已在其他设备上被退出，请重新登录',
  visitor: '请登录后查看',
}
/** Envelope status 2: the token is missing, expired or revoked. */
export class UnauthorizedError extends Error {
  override readonly name = 'UnauthorizedError'
  readonly why: NoLogin
  /** What the button that leads on says (ui/ErrorCard.tsx). */
  readonly login: string
  constructor(why: NoLogin = 'expired') {
    super(NO_LOGIN[why])
    this.why = why
    this.login = why === 'visitor' ? '登录' : '重新登录'
  }
}
/** Envelope status 0: `message` is the server's own, in Chinese. Trying again does not help. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}
/** Our server answered with a fault: HTTP status not OK. */
export class ServerFaultError extends Error {
  override readonly name = 'ServerFaultError'
  readonly status: number
  /** From `retry-after`, in ms; null when the server does not say. */
  readonly retryAfterMs: number | null
  constructor(status: number, retryAfterMs: number | null = null) {
    super(SERVER_FAULT)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * What stands before our server says so while that starts anew: nobody has reached it. Our server itself, when it is busy, says
 * when to come back.
 */
export const isGateway = (error: unknown): boolean =>
  error instanceof ServerFaultError && error.retryAfterMs === null && [502, 503, 504].includes(error.status)

export type CallError = OfflineError | UnauthorizedError | RefusedError | ServerFaultError
export const isCallError = (error: unknown): error is CallError =>
  error instanceof OfflineError ||
  error instanceof UnauthorizedError ||
  error instanceof RefusedError ||
  error instanceof ServerFaultError

/** What a student is told of a failed act of theirs that must have the network. */
export const failureWords = (error: unknown): string =>
  isAway(error) ? '当前没有网络，这项操作需要联网后再试。' : wordsOf(error)
/** What the dialog says besides a form that tells its failure itself: what the server answered. Null where nobody did. */
export const refusalWords = (error: unknown): string | null =>
  isCallError(error) && !(error instanceof OfflineError) ? wordsOf(error) : null
/** Marks a mutation whose own form tells its failure; where the server has answered, a dialog tells it as well (ui/feedback/useWarning.ts). */
export const TOLD_HERE = { told: true }

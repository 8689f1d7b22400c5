import { type CallError, isCallError, OfflineError, ServerFaultError } from '#src/api/errors.ts'

/** The storage client's own (spec.md §4). */
export type TaskState = 'waiting' | 'checking' | 'uploading' | 'paused' | 'canceled' | 'error' | 'success'

/** Why a picture is not there. `refused` and `login` are in the server's words. */
export type UploadFault =
  | { kind: 'offline' | 'expired' | 'large' | 'type' | 'full' | 'often' | 'server' | 'failed' }
  | { kind: 'told'; error: CallError }

/** One file on its way, by whatever client. */
export interface Sending {
  pause: () => void
  resume: () => void
  /** keep: the parts that are there stay, and the same file goes on with them; forget: they are given back. */
  stop: (parts: 'keep' | 'forget') => void
}
export interface Heard {
  state: (state: Extract<TaskState, 'waiting' | 'checking' | 'uploading' | 'paused'>) => void
  /** 0 … 1 */
  part: (part: number) => void
  done: (url: string) => void
  fail: (fault: UploadFault) => void
}

/** Why it was not even begun: no client, no keys. */
export function notSent(error: unknown): UploadFault {
  if (error instanceof OfflineError) return { kind: 'offline' }
  if (error instanceof ServerFaultError) return { kind: 'server' }
  return isCallError(error) ? { kind: 'told', error } : { kind: 'failed' }
}

/** By the code of the storage's answer: COS' own, and three of the embedded bucket (server/bucket/fault.ts). */
const KINDS: Record<string, Exclude<UploadFault['kind'], 'told'>> = {
  EntityTooLarge: 'large',
  QuotaExceeded: 'full',
  TooMuchToday: 'often',
  InvalidPictureType: 'type',
  AccessDenied: 'expired',
  ExpiredToken: 'expired',
  InvalidAccessKeyId: 'expired',
  SignatureDoesNotMatch: 'expired',
  RequestTimeTooSkewed: 'expired',
}

/** @param status of HTTP; 0 when nobody answered */
export function faultOf(status: number, code: string): UploadFault {
  const kind = KINDS[code]
  if (kind) return { kind }
  if (status === 0) return { kind: 'offline' }
  return { kind: status >= 500 ? 'server' : 'failed' }
}

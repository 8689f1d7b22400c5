import { OfflineError } from '#src/api/errors.ts'
import { bytesText } from '#src/domain/text/bytes.ts'
import { wordsOf } from '#src/domain/app/failureWords.ts'
import type { Activity } from './board.ts'
import { isFull } from '../device/idb.ts'

/** Another tab has cancelled or removed what this one is fetching. */
export class GoneError extends Error {
  override readonly name = 'GoneError'
}
/** The line brings something, and hardly anything before it breaks again. */
export class UnsteadyError extends OfflineError {
  constructor(cause: unknown) {
    super('网络不稳定', { cause })
  }
}
/** What came, or what is on the device, does not match its hash, or is not all there. The line may be at fault. */
export class DamagedError extends OfflineError {
  constructor() {
    super('下载的内容不完整')
  }
}
/** Of a lesson in no format that this device plays from its own storage. */
export class UnplayableError extends Error {
  override readonly name = 'UnplayableError'
  constructor() {
    super('这台设备不能离线播放这个课时，请联网播放')
  }
}
/** The line has brought more than twice what the lesson weighs: whether it is worth more is for the student to say. */
export class CostlyError extends Error {
  override readonly name = 'CostlyError'
  readonly spent: number
  constructor(spent: number) {
    super('网络不稳定，下载已停下')
    this.spent = spent
  }
}

/** As the screen tells it. */
export function troubleOf(error: unknown): Partial<Activity> {
  if (isFull(error)) return { at: 'full' }
  if (error instanceof CostlyError) return { at: 'costly', message: `网络不稳定，已用 ${bytesText(error.spent)} 流量` }
  if (error instanceof DamagedError) return { at: 'failed', message: '下载的内容不完整，请重试' }
  if (error instanceof OfflineError) return { at: 'failed', message: '当前没有网络，请联网后重试' }
  return {
    at: 'failed',
    message: wordsOf(error, '下载没有完成，请重试'),
  }
}

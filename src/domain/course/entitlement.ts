/** What the server said of a student's right to a lesson that is on their device. */
export interface LessonRight {
  /** It needs none: its course costs nothing, or it is 试看. */
  free: boolean
  /** When what was bought ends, epoch ms; null: never. */
  rightUntil: number | null
  /** When the server last said so, epoch ms; 0: it never did. */
  confirmedAt: number
}
/** `ended`: what was bought is over; `unconfirmed`: the server has not been asked for too long. */
export type Opens = 'open' | 'ended' | 'unconfirmed'

const DAY_MS = 86_400_000
/** So long a right is believed without asking the server again. */
const BELIEVED_MS = 7 * DAY_MS
/** A confirmation from later than now was made under a wrong clock; one of a few hours is a clock that was set right since. */
const AHEAD_MS = DAY_MS

/** @param now the highest time that the device has ever seen, so that setting the clock back opens nothing */
export function opensOffline({ free, rightUntil, confirmedAt }: LessonRight, now: number): Opens {
  if (free) return 'open'
  if (rightUntil !== null && now >= rightUntil) return 'ended'
  return now >= confirmedAt + BELIEVED_MS || confirmedAt > now + AHEAD_MS ? 'unconfirmed' : 'open'
}

/** Why a downloaded lesson does not open, and what to do. */
export const CLOSED: Record<Exclude<Opens, 'open'>, string> = {
  ended: '课程有效期已过，续费后联网一次即可继续',
  unconfirmed: '超过 7 天没有联网确认购买，联网一次即可继续',
}

/** How long something is, in whole minutes: one at least. */
const minutesOf = (seconds: number): number => Math.max(1, Math.round(seconds / 60))

/**
 * 3 小时 20 分钟; of what is shorter than an hour the minutes alone.
 * @param of seconds of each part whose own length is shown beside: the sum is that of what is read, not of what was rounded away
 */
export function lengthText(of: readonly number[]): string {
  const all = of.reduce((sum, seconds) => sum + minutesOf(seconds), 0)
  const [hours, minutes] = [Math.floor(all / 60), all % 60]
  return [hours > 0 && `${hours} 小时`, (minutes > 0 || hours === 0) && `${minutes} 分钟`].filter(Boolean).join(' ')
}

const two = (n: number): string => String(n).padStart(2, '0')

/** 3:05, 1:02:03: to the second, so that parts and their whole add up. */
export function clockText(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds % 60)]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

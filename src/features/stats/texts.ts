import { MINUTE_MS } from '#src/domain/time/day.ts'
import { dayText } from '#src/ui/dates.ts'

export const percentText = (rate: number | null): string => (rate === null ? '—' : `${Math.round(rate * 100)}%`)

export function timeText(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS)
  if (minutes < 1) return ms > 0 ? '不足 1 分钟' : '0 分钟'
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${rest} 分钟`
  return rest === 0 ? `${hours} 小时` : `${hours} 小时 ${rest} 分`
}

/** 11/21 on a chart's axis. */
export const tickText = (day: number): string => dayText(day).replace('月', '/').replace('日', '')

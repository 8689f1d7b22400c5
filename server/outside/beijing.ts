const OFFSET_MS = 8 * 3_600_000
const FORM = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/

/** `2026-12-01 09:00:00` as the providers mean it, whatever zone this server is in. A part of a second is dropped. */
export const toBeijing = (at: number): string => new Date(at + OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')

/** Epoch ms; null for what is no such time. */
export function fromBeijing(text: string): number | null {
  const at = FORM.test(text) ? Date.parse(`${text.replace(' ', 'T')}+08:00`) : Number.NaN
  return Number.isNaN(at) || toBeijing(at) !== text ? null : at
}

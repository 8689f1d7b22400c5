/** When a banner is shown: both ends in epoch ms, the end no more; null: open on that side. */
export interface Shown {
  from: number | null
  until: number | null
}
export const isShown = ({ from, until }: Shown, now: number): boolean =>
  (from === null || now >= from) && (until === null || now < until)

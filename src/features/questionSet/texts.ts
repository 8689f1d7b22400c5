import type { SetHead, SetKind } from '#src/contract/questionSet.ts'

export const KIND_NAMES: Record<SetKind, string> = { past: '真题', mock: '模拟', special: '专项' }
export const priceText = ({ price }: Pick<SetHead, 'price'>): string =>
  price === 0 ? '免费' : `¥${(price / 100).toFixed(2)}`

/** Best scores and finished sittings by paper. */
export type SetProgress = ReadonlyMap<string, { times: number; best: number }>
export const NO_PROGRESS: SetProgress = new Map()

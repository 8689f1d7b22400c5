import type { SetKind } from '#src/contract/questionSet.ts'

export const KIND_NAMES: Record<SetKind, string> = { past: '真题', mock: '模拟', special: '专项' }

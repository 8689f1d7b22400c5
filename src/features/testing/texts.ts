import type { TestingKind } from '#src/contract/testing.ts'

export const KIND_NAMES: Record<TestingKind, string> = { entrance: '入学测评', unit: '单元测验' }
export const timeOf = (minutes: number | null): string => (minutes === null ? '不限时' : `${minutes} 分钟`)

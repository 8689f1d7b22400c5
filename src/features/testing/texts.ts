import type { TestingKind } from '#src/contract/testing.ts'

export const KIND_NAMES: Record<TestingKind, string> = { entrance: '入学测评', unit: '单元测验' }
export const timeOf = (minutes: number | null): string => (minutes === null ? '不限时' : `${minutes} 分钟`)
/** Badges show a testing as open to everyone: nobody pays for it. */
export const FREE = { price: 0, vip: false, open: true, byVip: false }

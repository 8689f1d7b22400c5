import type { AgreementKind } from '#src/contract/agreement.ts'

export const AGREEMENT_NAMES: Record<AgreementKind, string> = { user: '用户协议', privacy: '隐私政策' }

import type { AgreementKind } from '#src/contract/agreement.ts'
import type { ConsentKind } from '#src/contract/consent.ts'

export const AGREEMENT_NAMES: Record<AgreementKind, string> = { user: '用户协议', privacy: '隐私政策' }
export const CONSENT_NAMES: Record<ConsentKind, string> = {
  ...AGREEMENT_NAMES,
  push: '推送提醒',
  rankName: '在考试排名里显示昵称',
}

import type { PayDevice, ProviderName } from '#server/db/saleTables.ts'

/** A payment as we ask a provider for it. Amounts are whole fen, times epoch ms. */
export interface PayRequest {
  /** Our number of the payment: at most 32 of [0-9A-Za-z]. The provider's key: begun twice, it is one payment. */
  id: string
  amount: number
  /** What the student reads at the provider's: at most 40 characters. */
  title: string
  /** From then on the provider takes no money for it. */
  expiresAt: number
  device: PayDevice
  /** The student's address; some providers ask for it on phones. */
  ip: string
}

/** How the student pays: at an address to go to, or by a phone that scans this text as a code. */
export type PayWay = { kind: 'go'; url: string } | { kind: 'scan'; text: string }

/** `open` may still be paid, `closed` never will be; a payment that the provider does not know is open. */
export type Standing =
  | { state: 'open' }
  | { state: 'closed' }
  | { state: 'paid'; amount: number; ref: string; at: number }

export interface RefundRequest {
  id: string
  /** Ours, of the same form. Asked twice, it is one refund. */
  refundId: string
  /** Of `total`, which is what was paid. */
  amount: number
  total: number
  reason: string
}
export type RefundStanding = 'done' | 'pending' | 'failed'

/** What a provider tells us by itself, verified; `id` is ours. */
export type Notice = { id: string } & (
  | { kind: 'payment'; standing: Standing }
  | { kind: 'refund'; standing: RefundStanding }
)

/** A notice that did not come from the provider, or was altered, or is too old: nothing of it may be believed. */
export class BadNotice extends Error {
  override readonly name = 'BadNotice'
}

/** Every call but `readNotice` speaks with the provider and may fail as networks do; each can be repeated. */
export interface PayProvider {
  readonly name: ProviderName
  begin: (request: PayRequest) => Promise<PayWay>
  find: (id: string) => Promise<Standing>
  /** So that it cannot be paid any more; no fault when it was paid or closed already: `find` says which. */
  close: (id: string) => Promise<void>
  refund: (request: RefundRequest) => Promise<RefundStanding>
  findRefund: (request: Pick<RefundRequest, 'id' | 'refundId'>) => Promise<RefundStanding>
  /**
   * @param body as it came, byte by byte
   * @throws BadNotice
   */
  readNotice: (headers: Record<string, string | undefined>, body: string, now: number) => Promise<Notice>
  /** What the provider wants to hear: that we have it, or that it is to come again. */
  reply: (taken: boolean) => { status: number; type: string; body: string }
}

/** Yuan as Alipay writes them, to and from our whole fen, without a float in between. */
const YUAN = /^(0|[1-9]\d{0,8})\.(\d{2})$/

/** @throws RangeError for what no price can be: a part of a fen, nothing, or more than Alipay takes. */
export function toYuan(fen: number): string {
  if (!Number.isInteger(fen) || fen < 1 || fen > 10_000_000_000) throw new RangeError(`no amount: ${fen}`)
  const digits = String(fen).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Null for what is not written as Alipay writes amounts. */
export function fromYuan(text: string): number | null {
  const [, yuan, fen] = YUAN.exec(text) ?? []
  return yuan === undefined ? null : Number(`${yuan}${fen}`)
}

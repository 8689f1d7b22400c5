/** ¥12.30, of fen; what is taken off has its minus before it. */
export const moneyText = (fen: number): string => `${fen < 0 ? '−' : ''}¥${(Math.abs(fen) / 100).toFixed(2)}`

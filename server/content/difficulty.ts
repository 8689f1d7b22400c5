/** Reads 难度 as files write it: 1 to 5, stars, words, or the share of those who were right (难度系数). */

const WORDS: readonly RegExp[] = [
  /^(?:很|非常|极|最)?(?:容?易|简单|低)$|^基础$/,
  /^(?:较|偏|比较|稍)(?:为)?(?:容?易|简单|低)$/,
  /^(?:中|中等|适中|一般|普通|中档)$/,
  /^(?:较|偏|比较|稍)(?:为)?(?:困?难|高)$|^提高$/,
  /^(?:很|非常|极|最)?(?:困?难|高)$|^(?:拔高|压轴)$/,
]
/** So many at least were right, from 很易 on. */
const SHARES = [0.9, 0.7, 0.5, 0.3]

/** @returns from 1 to 5; NaN where nobody can tell. */
export function difficultyOf(text: string): number {
  const plain = text
    .normalize('NFKC')
    .trim()
    .replace(/^难度(?:系数)?\s*:?\s*/, '')
  const stars = plain.match(/[★⭐*]/g)?.length ?? 0
  if (stars > 0 && /^[★⭐☆*\s\uFE0F]+$/.test(plain)) return stars
  const word = WORDS.findIndex((words) => words.test(plain.replace(/(?:难度|题)$/, '')))
  if (word >= 0) return word + 1
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([星级%]?)$/.exec(plain) ?? []
  if (number === undefined) return Number.NaN
  const value = unit === '%' ? Number(number) / 100 : Number(number)
  const isShare = unit === '%' || (number.includes('.') && value > 0 && value < 1)
  return isShare ? 1 + SHARES.filter((least) => value < least).length : value
}

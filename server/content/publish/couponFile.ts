import { readJsonFile } from '#server/content/formats/jsonText.ts'
import { readShape } from '#server/content/formats/fileShape.ts'
import * as v from 'valibot'
import { SOLD_KINDS } from '#src/contract/order.ts'
import { type CouponRow, type CouponShown, readAll } from '#server/coupon/store.ts'
import type { Db } from '#server/db/open.ts'
import type { Finding } from '#server/content/draft.ts'
import { line, Withdrawn } from './paperFile.ts'
import { Time } from '#server/content/media/time.ts'

export const COUPONS_FORMAT = 'lijian-coupons/1'
const MAX_FEN = 10_000_000
const MAX_COUPONS = 200

const fen = (what: string, least: number) => {
  const rule = `${what}应为 ${least} 到 ${MAX_FEN} 的整数（分）`
  return v.pipe(v.number(rule), v.integer(rule), v.minValue(least, rule), v.maxValue(MAX_FEN, rule))
}
const PERCENT = 'percent 应为 1 到 99 的整数（减去百分之几）'
const OFF = 'off 应写成 { "fen": 500 }（减 5 元）或 { "percent": 10, "most": 2000 }（减一成，最多 20 元）'
const OffFile = v.union(
  [
    v.strictObject({ fen: fen('fen', 1) }),
    v.strictObject({
      percent: v.pipe(v.number(PERCENT), v.integer(PERCENT), v.minValue(1, PERCENT), v.maxValue(99, PERCENT)),
      most: v.optional(fen('most', 1)),
    }),
  ],
  OFF,
)
/** Libraries are free. */
const KINDS = SOLD_KINDS.filter((kind) => kind !== 'library')
const CouponFile = v.strictObject(
  {
    // What is given adds to the number what it was given by.
    no: v.pipe(v.string('要有 no'), v.regex(/^[A-Za-z0-9_]{1,40}$/, '编号应为 1 到 40 位字母、数字或下划线')),
    title: line('名称', 20),
    off: OffFile,
    threshold: v.optional(fen('threshold', 0), 0),
    kinds: v.optional(v.array(v.picklist(KINDS, `kinds 只能有 ${KINDS.join('、')}`)), []),
    from: Time,
    until: Time,
    withdrawn: Withdrawn,
  },
  '字段不全，或有不认识的字段（字段见 docs/coupons.md）',
)
/** 优惠券 as the operator's file writes them (docs/coupons.md). */
const CouponsFile = v.object({
  format: v.literal(COUPONS_FORMAT, `format 应为 "${COUPONS_FORMAT}"`),
  coupons: v.pipe(
    v.array(CouponFile),
    v.minLength(1, '至少要有一张优惠券'),
    v.maxLength(MAX_COUPONS, `一次最多 ${MAX_COUPONS} 张`),
  ),
})
type CouponInFile = v.InferOutput<typeof CouponFile>

export interface CheckedCoupons {
  /** Null when the file has a fault. */
  coupons: CouponRow[] | null
  findings: Finding[]
}

/** Reads the file and judges it against the coupons that there are, without changing anything. */
export async function checkCoupons(db: Db, file: string): Promise<CheckedCoupons> {
  const json = await readJsonFile(file)
  if (json === undefined) {
    const finding: Finding = { file, at: '文件', level: 'fault', reason: '文件不存在或不是 JSON' }
    return { coupons: null, findings: [finding] }
  }
  const { said, findings } = readShape(CouponsFile, file, json)
  if (!said) return { coupons: null, findings }
  const known = new Map((await readAll(db)).map((each) => [each.no, each]))
  const rows = said.coupons.map(rowOf)
  for (const [i, row] of rows.entries())
    for (const found of judge(row, rows, i, known.get(row.no))) findings.push({ file, at: `coupons[${i}]`, ...found })
  return { coupons: findings.some(({ level }) => level === 'fault') ? null : rows, findings }
}

const rowOf = ({ off, ...rest }: CouponInFile): CouponRow => ({
  ...rest,
  off:
    'fen' in off
      ? { kind: 'fen', value: off.fen, most: null }
      : { kind: 'percent', value: off.percent, most: off.most ?? null },
})

type Said = Pick<Finding, 'level' | 'reason'>
function judge(row: CouponRow, rows: readonly CouponRow[], i: number, known: CouponShown | undefined): Said[] {
  const { no, off, threshold, from, until } = row
  const says: [boolean, Finding['level'], string][] = [
    [rows.findIndex((each) => each.no === no) < i, 'fault', `编号 ${no} 重复`],
    [from >= until, 'fault', '结束时间要晚于开始时间'],
    [
      off.kind === 'fen' && threshold > 0 && off.value > threshold,
      'warning',
      '减的比门槛还多：买到门槛的学生不用付商品钱',
    ],
    [
      known !== undefined && known.owned > 0 && !sameTerms(known, row),
      'warning',
      `已有 ${known?.owned} 张在学生手里，改动对没用掉的也生效`,
    ],
  ]
  return says.flatMap(([holds, level, reason]) => (holds ? [{ level, reason }] : []))
}

const terms = ({ title, off, threshold, kinds, from, until }: CouponRow) =>
  JSON.stringify([title, off.kind, off.value, off.most, threshold, [...kinds].toSorted(), from, until])
const sameTerms = (a: CouponRow, b: CouponRow): boolean => terms(a) === terms(b)

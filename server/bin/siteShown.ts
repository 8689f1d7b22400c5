import type { Site } from '#src/contract/config.ts'
import { AGREEMENT_NAMES } from '#src/domain/app/agreements.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { readInForce } from '#server/agreement/store.ts'
import { readLog, readPromise, readSetting, readSite, siteSet } from '#server/config/store.ts'
import { writeTime } from '#server/content/media/time.ts'
import type { Db } from '#server/db/open.ts'
import { readBanners, readNotice } from '#server/home/store.ts'
import { readStructure } from '#server/structural/store.ts'
import { FOOTER_NAMES } from './siteChanges.ts'

/** What students see now. */
export async function readShown(db: Db, defaults: Site) {
  const [notice, footer, set, promise, banners, directions, user, privacy] = await Promise.all([
    readNotice(db),
    readSite(db, defaults),
    readSetting(db, 'footer').then(siteSet),
    readPromise(db),
    readBanners(db),
    readStructure(db),
    readInForce(db, 'user'),
    readInForce(db, 'privacy'),
  ])
  const agreements = [user, privacy].filter((each) => each !== null)
  return { notice, footer, footerSet: Object.keys(set), promise, banners, directions, agreements }
}
type ShownNow = Awaited<ReturnType<typeof readShown>>

export function toldShown({ notice, footer, footerSet, promise, banners, directions, agreements }: ShownNow): string {
  const fields = Object.entries(FOOTER_NAMES).map(([field, name]) => {
    const text = Object.entries(footer).find(([key]) => key === field)?.[1]
    return `  ${name}：${text || '不显示'}${footerSet.includes(field) ? '' : '（环境变量）'}`
  })
  const shows = banners.map(({ title, link, from, until, directions, areas }, i) => {
    const when = from === null && until === null ? '' : `，${time(from, '即日')} 至 ${time(until, '长期')}`
    const who = [...directions, ...areas].length === 0 ? '' : `，方向 ${all(directions)}，地区 ${all(areas)}`
    return `  ${i + 1}. ${title} → ${link}${when}${who}`
  })
  return [
    `公告：${notice.replaceAll('\n', ' / ') || '无'}`,
    '页脚：',
    ...fields,
    `平台承诺：${promise.title}，${plainText(promise.html).length} 字（${promise.at === null ? '默认' : `${writeTime(promise.at)} 更新`}）`,
    ...agreements.map(
      ({ kind, version, at, source }) =>
        `${AGREEMENT_NAMES[kind]}：第 ${version} 版，${writeTime(at)} 起（${source ? '自己的文字' : '默认'}）`,
    ),
    `首页轮播：${banners.length === 0 ? '无' : ''}`,
    ...shows,
    `报考方向：${directions.length === 0 ? '无（学生还不能选择，用 directions 设置）' : ''}`,
    ...directions.map(
      (each) => `  ${each.name}：${each.directions.map(({ key, name }) => `${name} ${key}`).join('、')}`,
    ),
  ].join('\n')
}

const time = (at: number | null, none: string): string => (at === null ? none : writeTime(at))
const all = (keys: readonly string[]): string => keys.join('、') || '全部'

const NAMES: Record<string, string> = {
  notice: '公告',
  footer: '页脚',
  promise: '平台承诺',
  banners: '首页轮播',
  directions: '报考方向',
}
/** What was done, where nothing was before (npm run coupons, npm run orders). */
const ACTS: Record<string, string> = {
  coupons: '优惠券',
  codes: '兑换码',
  orders: '订单',
  payments: '款项',
  users: '学生',
}
const LOG_SHOWN = 50

export const readChanges = (db: Db) => readLog(db, LOG_SHOWN)

/** Every change in two lines, the last one first. */
export function toldChanges(changes: Awaited<ReturnType<typeof readChanges>>): string {
  if (changes.length === 0) return '还没有改动'
  return changes
    .map(({ at, what, before, after }) =>
      ACTS[what]
        ? `${writeTime(at)} ${ACTS[what]}\n  ${short(after)}`
        : `${writeTime(at)} ${NAMES[what] ?? what}\n  改前 ${short(before)}\n  改后 ${short(after)}`,
    )
    .join('\n')
}

const SHORT = 200
function short(value: string | null): string {
  if (value === null) return '（默认）'
  const line = value.replaceAll('\n', ' / ')
  return line === '' ? '（空）' : line.length > SHORT ? `${line.slice(0, SHORT)}…（共 ${value.length} 字符）` : line
}

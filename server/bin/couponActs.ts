import type { CommandResult } from './commandLine.ts'
import { rm, writeFile } from 'node:fs/promises'
import * as v from 'valibot'
import { Mobile } from '#src/contract/scalar.ts'
import { codeText, readCode, WORD_RULE } from '#src/domain/money/couponCode.ts'
import { logChange } from '#server/config/store.ts'
import { checkCoupons } from '#server/content/publish/couponFile.ts'
import { drawCode, hashCode } from '#server/coupon/codes.ts'
import * as store from '#server/coupon/store.ts'
import { readSecret } from '#server/course/store.ts'
import type { Db, Tx } from '#server/db/open.ts'

/** Why nothing was changed. */
export class Wrong extends Error {
  override readonly name = 'Wrong'
}
const MOST_CODES = 10_000
const MOST_USES = 1_000_000

/** A whole number of the command line. */
function count(text: string, what: string, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > most) throw new Wrong(`${what}应为 1 到 ${most} 的整数`)
  return number
}

/** @param dry only checked @param now epoch ms */
export async function importCoupons(db: Db, file: string, dry: boolean, now: number): Promise<CommandResult> {
  const { coupons, findings } = await checkCoupons(db, file)
  const lines = findings.map(
    ({ at, level, reason }) => `${level === 'fault' ? '错误' : '提醒'} ${file} ${at}：${reason}`,
  )
  if (!coupons) return { code: 1, lines: [...lines, '有错误，未改动。'] }
  if (!dry)
    await db.transaction().execute(async (tx) => {
      for (const row of coupons) await store.writeCoupon(tx, row)
      await logChange(tx, 'coupons', JSON.stringify(coupons), now)
    })
  const outcome = dry ? '检查通过，未改动。' : '已生效。'
  return { code: 0, lines: [...lines, ...coupons.map(({ no, title }) => `优惠券 ${no}：${title}`), outcome] }
}

async function living(tx: Tx, no: string, now: number): Promise<store.CouponShown> {
  const coupon = (await store.readAll(tx)).find((each) => each.no === no)
  if (!coupon) throw new Wrong(`没有编号为 ${no} 的优惠券，请先 import`)
  if (coupon.withdrawn) throw new Wrong(`优惠券 ${no} 已停发`)
  if (coupon.until <= now) throw new Wrong(`优惠券 ${no} 已过期`)
  return coupon
}

/** @param mobiles null: every student @param now epoch ms */
export async function giveCoupons(
  db: Db,
  no: string,
  mobiles: readonly string[] | null,
  now: number,
): Promise<CommandResult> {
  const bad = mobiles?.filter((mobile) => !v.is(Mobile, mobile)) ?? []
  if (bad.length > 0) throw new Wrong(`不是手机号：${bad.join('、')}`)
  return db.transaction().execute(async (tx) => {
    const { title } = await living(tx, no, now)
    const students = await store.readUids(tx, mobiles)
    const missing = mobiles?.filter((mobile) => !students.has(mobile)) ?? []
    if (missing.length > 0) throw new Wrong(`没有这些学生：${missing.join('、')}`)
    const given = await store.giveCoupon(tx, [...students.values()], no, no, now)
    await logChange(tx, 'coupons', `${no} 发给 ${mobiles ? mobiles.join('、') : '全部学生'}，新发 ${given} 张`, now)
    return { code: 0, lines: [`“${title}”：新发 ${given} 张，${students.size - given} 人以前已发过`] }
  })
}

/** A code that many may redeem, each once. @param word the operator's own; left out, it is drawn @param now epoch ms */
export async function makeCouponCode(
  db: Db,
  no: string,
  uses: string,
  word: string | undefined,
  now: number,
): Promise<CommandResult> {
  const most = count(uses, '--uses ', MOST_USES)
  const code = word === undefined ? drawCode() : readCode(word)
  if (code === null) throw new Wrong(WORD_RULE)
  const secret = await readSecret(db)
  return db.transaction().execute(async (tx) => {
    const { title } = await living(tx, no, now)
    const made = { hash: hashCode(secret, code), coupon: no, duration: null, days: null, uses: most }
    if (!(await store.addCodes(tx, [made], now))) throw new Wrong('这个码已经用过，请换一个')
    await logChange(tx, 'codes', `${no} 的兑换码，可兑 ${most} 次`, now)
    return {
      code: 0,
      lines: [`“${title}”的兑换码，每人一次，共可兑 ${most} 次：`, codeText(code), '请抄好：以后不能再查看。'],
    }
  })
}

/** Codes for books, one student each, into a file that is not there yet. @param now epoch ms */
export async function makeActivationCodes(
  db: Db,
  duration: string,
  number: string,
  file: string,
  now: number,
): Promise<CommandResult> {
  const codes = Array.from({ length: count(number, '数量', MOST_CODES) }, drawCode)
  const secret = await readSecret(db)
  let written = false
  try {
    return await db.transaction().execute(async (tx) => {
      const vip = await store.readDuration(tx, duration)
      if (!vip) throw new Wrong(`没有编号为 ${duration} 的会员时长`)
      const made = codes.map((code) => {
        return { hash: hashCode(secret, code), coupon: null, duration, days: vip.days, uses: 1 }
      })
      if (!(await store.addCodes(tx, made, now))) throw new Wrong('有码重复，未改动，请再试一次')
      await logChange(tx, 'codes', `${duration} 的激活码 ${codes.length} 个`, now)
      // Whoever prints them opens it with a spreadsheet, which takes UTF-8 by this mark alone.
      const rows = codes.map((code, i) => `${i + 1},${codeText(code)},${vip.name}`)
      await writeNew(file, `\uFEFF${['序号,激活码,开通', ...rows].join('\r\n')}\r\n`)
      written = true
      return {
        code: 0,
        lines: [`${vip.name}：激活码 ${codes.length} 个，已写入 ${file}。请妥善保管：以后不能再查看。`],
      }
    })
  } catch (error) {
    // Codes that nobody can redeem must not be printed.
    if (written) await rm(file)
    throw error
  }
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const reason = error instanceof Error && 'code' in error && error.code === 'EEXIST' ? '已经存在' : '不能写入'
    throw new Wrong(`${file} ${reason}，未改动`)
  }
}

import type { Tx } from '#server/db/open.ts'
import { Refusal } from '#server/http/handlers.ts'
import { dropUnusedCoupons } from '#server/coupon/store.ts'
import { forgetEntrant } from '#server/exam/store.ts'
import { forgetReader } from '#server/news/store.ts'
import { dropEmptyWallet, lockWallet } from '#server/wallet/store.ts'
import { openMatters } from './matters.ts'
import { deleteStudent, forgetTries, lockStudent } from './store.ts'

/**
 * 注销账号, all of it or nothing. Whatever has the student's uid goes with their row, by its foreign key; what has none outlives
 * them, and is named with its reason in tests/server/closing.test.ts. A call of another device that is under way finds no student.
 * @param passwordWas when the owner was proven
 * @param endOthers tells the student's other devices that they are logged out
 */
export async function closeAccount(
  tx: Tx,
  uid: string,
  passwordWas: string | null,
  endOthers: () => Promise<void>,
): Promise<void> {
  // In this order everywhere: whoever moves money holds the wallet before anything of the student's.
  await lockWallet(tx, uid)
  const student = await lockStudent(tx, uid)
  if (student?.password !== passwordWas) throw new Refusal('密码刚刚在别处修改过，请重新登录')
  const matters = await openMatters(tx, uid)
  if (matters.length > 0) throw new Refusal(`账号还不能注销：${matters.join('；')}`)
  await dropUnusedCoupons(tx, uid)
  await dropEmptyWallet(tx, uid)
  await forgetEntrant(tx, uid)
  await forgetReader(tx, uid)
  await forgetTries(tx, uid, student.mobile)
  await endOthers()
  await deleteStudent(tx, uid)
}

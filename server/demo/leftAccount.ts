import type { Db } from '#server/db/open.ts'
import { isPassword } from '#server/login/argon2.ts'
import { credentials } from '#server/login/store.ts'
import { DEMO_MOBILE, DEMO_PASSWORD } from './account.ts'

/** The demo's student stays behind when the demo is turned off on a database that held it. Tells whether anybody can log in as them. */
export async function isDemoAccountOpen(db: Db): Promise<boolean> {
  const demo = await credentials(db, DEMO_MOBILE)
  return Boolean(demo?.password) && (await isPassword(demo?.password ?? '', DEMO_PASSWORD))
}

export const DEMO_LEFT = `演示账号 ${DEMO_MOBILE} 还在，密码人人知道：npm run users -- reset ${DEMO_MOBILE}`

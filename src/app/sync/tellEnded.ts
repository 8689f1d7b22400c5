import { takeEnded } from '#src/features/account/endedMark.ts'
import { loginRequest } from '#src/session/loginRequest.ts'
import { sayWithLogin } from './offerLogin.ts'

const ENDED = '登录已在其他设备上被退出。还没有同步的记录保存在这台设备上，重新登录后会自动同步。'

/** Says, once, why a student who was logged in is a visitor now. */
export async function tellEnded(): Promise<void> {
  if (takeEnded() && (await sayWithLogin(ENDED, '重新登录'))) loginRequest.ask()
}

import { query } from '#src/api/query.ts'
import { getUserInfo } from '#src/contract/userinfo.ts'
import { session } from '#src/session/session.ts'
import { hasLeft } from './visitorChoice.ts'

export const userinfoQuery = () => query(getUserInfo, {})

/** After a login: what was done before it, on this device, is offered to the account, once. */
export async function offerVisitorRecord(): Promise<void> {
  if (!session.loggedIn() || hasLeft(session.owner())) return
  const { askVisitor } = await import('./visitor.ts')
  await askVisitor()
}

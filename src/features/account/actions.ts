import { query } from '#src/api/query.ts'
import { user } from '#src/contract/user.ts'
import { session } from '#src/session/session.ts'
import { hasLeft } from './visitorChoice.ts'

export const userinfoQuery = () => query(user.getUserInfo, {})

/** After a login: what was done before it, on this device, is offered to the account, once. */
export async function offerVisitorRecord(): Promise<void> {
  if (!session.loggedIn() || hasLeft(session.owner())) return
  const { askVisitor } = await import('./visitor.ts')
  await askVisitor()
}

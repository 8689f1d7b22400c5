import { session } from '#src/session/session.ts'
import { hasLeft } from './visitorChoice.ts'

/** After a login: what was done before it, on this device, is offered to the account, once. */
export async function offerVisitorRecord(): Promise<void> {
  if (!session.loggedIn() || hasLeft(session.owner())) return
  const { askVisitor } = await import('./visitor.ts')
  await askVisitor()
}

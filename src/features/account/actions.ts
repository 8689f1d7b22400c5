import type { QueryClient } from '@tanstack/react-query'
import { query } from '#src/api/query.ts'
import { getUserInfo, type Userinfo } from '#src/contract/userinfo.ts'
import { session } from '#src/session/session.ts'
import { hasLeft } from './visitorChoice.ts'

export const userinfoQuery = () => query(getUserInfo, {})

/** What the server says it has stored. In the cache, too, or the next page would begin with what was before. */
export function takeUserinfo(client: QueryClient, userinfo: Userinfo): void {
  client.setQueryData(userinfoQuery().queryKey, userinfo)
  session.setUserinfo(userinfo)
}

/** After a login: what was done before it, on this device, is offered to the account, once. */
export async function offerVisitorRecord(): Promise<void> {
  if (!session.loggedIn() || hasLeft(session.owner())) return
  const { askVisitor } = await import('./visitor.ts')
  await askVisitor()
}

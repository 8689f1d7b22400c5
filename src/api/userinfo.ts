import type { QueryClient } from '@tanstack/react-query'
import { getUserInfo, type Userinfo } from '#src/contract/user.ts'
import { session } from '#src/session/session.ts'
import { query, setAnswer } from './query.ts'

export const userinfoQuery = () => query(getUserInfo, {})

/** What the server says it has stored. In the cache, too, or the next page would begin with what was before. */
export function takeUserinfo(client: QueryClient, userinfo: Userinfo): void {
  setAnswer(client, userinfoQuery(), userinfo)
  session.setUserinfo(userinfo)
}

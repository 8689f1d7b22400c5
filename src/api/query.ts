import { type DataTag, type QueryClient, type QueryKey, queryOptions, type Updater } from '@tanstack/react-query'
import type { Endpoint, Input, Keep } from '#src/contract/endpoint.ts'
import type { Scope } from '#src/contract/scalar.ts'
import { session } from '#src/session/session.ts'
import { call, soon } from './client.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { keep: Keep }
  }
}

/**
 * The only maker of query keys. Owner, area and direction stand first, because every call silently carries them: another
 * student, region or exam can then never be shown this one's answer.
 * @param scope another one for what is a student's whatever they study
 */
export const query = <E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { area, sg_key }: Pick<Scope, 'area' | 'sg_key'> = session.scope(),
) => {
  const queryKey = [session.owner(), area, sg_key, endpoint.path, input] as const
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => soon(JSON.stringify(queryKey), () => call(endpoint, input, { signal })),
    meta: { keep: endpoint.keep },
    // The boot snapshot is written from memory: what memory forgets, it would lose.
    ...(endpoint.keep === 'boot' && { gcTime: Number.POSITIVE_INFINITY }),
  })
}

/**
 * For answers that depend on nothing but the input: the same for every student, region and direction, so what one of them has
 * kept serves all, also offline.
 */
export const sharedQuery = <E extends Endpoint>(endpoint: E, input: Input<E>) => {
  const options = query(endpoint, input)
  return queryOptions({ ...options, queryKey: ['all', '', '', endpoint.path, input] as const })
}

/**
 * Takes in what the server has just answered to a change, in place of what a query answered before. It is the only caller of
 * setQueryData, because the copy on the device has to follow, or it would contradict the screen at the next start without a network:
 * the client writes `boot` and `device` copies itself (offline/device/cache.ts), and the worker renews its own when it is asked once more.
 */
export function setAnswer<T>(
  client: QueryClient,
  { queryKey, meta }: { queryKey: DataTag<QueryKey, T, Error>; meta?: { keep: Keep } | undefined },
  answer: Updater<T | undefined, T | undefined>,
): void {
  // A query that no screen has asked for yet has to know where its answer is kept.
  client.getQueryCache().build(client, client.defaultQueryOptions({ queryKey, ...(meta && { meta }) }))
  client.setQueryData<T>(queryKey, answer)
  const [, , , path, input] = queryKey
  if (meta?.keep === 'worker') call({ path: path as string, method: 'GET' }, input).catch(() => {})
}

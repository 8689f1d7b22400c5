import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Endpoint, InputSchema, Output } from '#src/contract/endpoint.ts'
import type * as v from 'valibot'
import { call, soon } from './client.ts'
import { query } from './query.ts'

/** An endpoint that gives a list page by page. */
type Paged = Endpoint<InputSchema, v.GenericSchema<unknown, { next: string | null }>>

/**
 * A list as long as it has been read. Each page is a call of its own, kept as the endpoint says: without a network a list goes as
 * far as it was read before.
 * @param inputOf makes the call's input of a page's cursor; undefined is the first page
 * @param scope as in `query`
 */
export const pagesQuery = <E extends Paged>(
  endpoint: E,
  inputOf: (cursor: string | undefined) => Parameters<typeof call<E>>[1],
  scope?: Parameters<typeof query>[2],
) => {
  const { queryKey, meta } = query(endpoint, inputOf(undefined), scope)
  const first: string | null = null
  return infiniteQueryOptions({
    // One page alone has the same path and input.
    queryKey: [...queryKey, 'pages'] as const,
    queryFn: ({ pageParam, signal }): Promise<Output<E>> => {
      const input = inputOf(pageParam ?? undefined)
      return soon(JSON.stringify([...queryKey, pageParam]), () => call(endpoint, input, { signal }))
    },
    initialPageParam: first,
    getNextPageParam: ({ next }: { next: string | null }) => next,
    ...(meta && { meta }),
  })
}

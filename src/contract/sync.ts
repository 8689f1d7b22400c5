// Apart from the schemas, which the worker does without.
/** At most this many ops, and this many bytes of ops JSON, in one call. */
export const SYNC_MAX_OPS = 100
export const SYNC_MAX_BYTES = 60_000
export const SYNC_PAGE = 500

/** All that the worker needs of the call; its schemas stay out of that file. */
export const SYNC_ADDRESS = { path: 'study/sync', method: 'POST' } as const

import type * as v from 'valibot'

/**
 * Where the browser keeps an answer, and so what works without a network (docs/architecture.md):
 * - `worker`: a GET content read that the service worker holds in Cache Storage, one cache per owner;
 * - `device`: one IndexedDB record per query, through React Query;
 * - `boot`: the small localStorage snapshot that the first paint needs;
 * - `nowhere`: never stored by itself; what a student downloads is kept by whoever asked (offline/downloads/packs/packStore.ts).
 */
export type Keep = 'worker' | 'device' | 'boot' | 'nowhere'

/** `user` needs a valid token; a handler of such an endpoint gets the student's uid, never null. */
export type Access = 'open' | 'user'

/** An input is always a flat record of fields, because it travels form-encoded. */
export type InputSchema = v.GenericSchema & { readonly entries: v.ObjectEntries }

export interface Endpoint<
  I extends InputSchema = InputSchema,
  O extends v.GenericSchema = v.GenericSchema,
  A extends Access = Access,
> {
  /** Below `/pcapi/`, exactly as spec.md §7 writes it. */
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly access: A
  readonly keep: Keep
  readonly input: I
  readonly output: O
}

/** What a caller passes: schema input, before defaults. */
export type Input<E> = E extends Endpoint<infer I> ? v.InferInput<I> : never
/** What a handler receives: schema output, after defaults. */
export type Received<E> = E extends Endpoint<infer I> ? v.InferOutput<I> : never
/** The envelope's `data`. */
export type Output<E> = E extends Endpoint<InputSchema, infer O> ? v.InferOutput<O> : never

/** Content that the worker keeps is read by GET (Cache Storage holds nothing else); every other call is a POST. */
// @__NO_SIDE_EFFECTS__
export function endpoint<const I extends InputSchema, const O extends v.GenericSchema, const A extends Access>(
  e: Omit<Endpoint<I, O, A>, 'method'>,
): Endpoint<I, O, A> {
  return { ...e, method: e.keep === 'worker' ? 'GET' : 'POST' }
}

/** The wire's envelope (spec.md §7). 1 done, 0 refused with a Chinese msg, 2 not logged in. */
export interface Envelope {
  status: 0 | 1 | 2
  msg: string
  data: unknown
}

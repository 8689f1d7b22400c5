import * as v from 'valibot'

/** Public number of a record: unique in the whole product, safe in a URL and in an HTML id. */
export const No = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_]{1,64}$/, '编号不正确'))
/** UUIDv7 made on the device: the server's key for "exactly once", and time-ordered. */
export const OpId = v.pipe(v.string(), v.uuid(), v.toLowerCase())
/** Key of an area or exam direction; '0' is 全国, '' is "none chosen yet". */
export const Key = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_]{0,32}$/, '地区或方向不正确'))
/** Milliseconds since 1970-01-01 UTC. */
export const EpochMs = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8_640_000_000_000_000))
/** Whole milliseconds, at most a day: a question left open overnight is not study time. */
export const DurationMs = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(86_400_000))
export const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
/** Sanitised HTML subset (domain/text/html.ts lists it), formulae as MathML. */
export const Html = v.string()
/** Short content hash of immutable content; another rev means other content. */
export const Rev = v.pipe(v.string(), v.minLength(1), v.maxLength(32))

/** A picture of ours with its size in CSS px, so that nothing moves when it comes. */
export const Cover = v.object({ src: v.string(), width: Count, height: Count })
export type Cover = v.InferOutput<typeof Cover>

/** Eleven digits, as 3+4+4 (spec.md §5). */
export const Mobile = v.pipe(v.string(), v.regex(/^\d{3}\d{4}\d{4}$/, '请输入合法的手机号'))

/** The three fields that every body carries besides its own (spec.md §7). */
export const Scope = v.object({ sg_key: v.optional(Key, ''), area: v.optional(Key, '0'), key: v.optional(Key, '') })
export type Scope = v.InferOutput<typeof Scope>

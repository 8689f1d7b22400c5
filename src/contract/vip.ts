import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Count, EpochMs, Html, No } from './scalar.ts'

/** A line of the table that packages are compared by: every package has the same lines in the same order. A text says how much. */
const Feature = v.object({ name: v.string(), has: v.union([v.boolean(), v.string()]) })
export type VipFeature = v.InferOutput<typeof Feature>

const named = { no: No, title: v.string(), summary: v.string() }
/** Whose it is. */
const owned = {
  /** This student has it now. */
  open: v.boolean(),
  /** When it ends, or did; null: never, or it never was theirs. */
  until: v.nullable(EpochMs),
}
const head = {
  ...named,
  ...owned,
  features: v.array(Feature),
  /** Fen: of the cheapest duration. */
  from: Count,
}
const VipHead = v.object(head)
export type VipHead = v.InferOutput<typeof VipHead>

/** What a package opens. */
const Unlock = v.object({
  kind: v.picklist(['set', 'exam', 'course', 'package', 'library', 'function']),
  /** Null: all of this kind that come with VIP; of a function always. */
  no: v.nullable(No),
  /** Of the one that is named, as it was when the package was published; '' for all of a kind. */
  title: v.string(),
})
export type VipUnlock = v.InferOutput<typeof Unlock>

/** What it opens now. */
const Open = v.object({
  ...Unlock.entries,
  /** Of all of a kind: how many the reader's scope has now; 0: none yet. Null: it is one. */
  count: v.nullable(Count),
})
export type VipOpen = v.InferOutput<typeof Open>

/** 时长 */
const Duration = v.object({
  no: No,
  name: v.string(),
  /** Null: until the student's exam day. */
  days: v.nullable(Count),
  /** Fen. */
  price: Count,
})
export type VipDuration = v.InferOutput<typeof Duration>
const VipDetail = v.object({ ...head, intro: Html, unlocks: v.array(Open), durations: v.array(Duration) })
export type VipDetail = v.InferOutput<typeof VipDetail>

const MyVip = v.object({
  ...named,
  ...owned,
  /** It can still be bought, so its page can be opened by anybody. */
  sold: v.boolean(),
})
export type MyVip = v.InferOutput<typeof MyVip>

export const vip = {
  /** Every package of the scope's direction and area; `free` is what the lines of comparison say of one who has none. */
  list: endpoint({
    path: 'vip/list',
    access: 'open',
    keep: 'worker',
    input: v.object({}),
    output: v.object({ free: v.array(Feature), packages: v.array(VipHead) }),
  }),
  detail: endpoint({
    path: 'vip/detail',
    access: 'open',
    keep: 'worker',
    input: v.object({ no: No }),
    output: VipDetail,
  }),
  /** What the student has, or had, of any direction; what ends last first. */
  mine: endpoint({
    path: 'vip/mine',
    access: 'user',
    keep: 'worker',
    input: v.object({}),
    output: v.array(MyVip),
  }),
}

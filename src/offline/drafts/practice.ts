import * as v from 'valibot'
import { Response } from '#src/contract/response.ts'
import { No } from '#src/contract/scalar.ts'
import { TASK_PARTS } from '#src/domain/study/task.ts'
import { declareDraft } from './kind.ts'

/** Says how a batch was dealt; it is kept with it. */
export const Deal = v.object({
  /** It sets the order of options; 0 leaves them as in the bank. */
  seed: v.number(),
  /** It says by what the batch was chosen, to compare; '' stands for the ordinary next ones. */
  choice: v.string(),
  /** It ends after so much time; 0: when all is done. */
  limitMs: v.number(),
  /** The exam this batch belongs to. It can be handed in only once, even if several tabs show it. */
  id: v.exactOptional(v.string()),
})
export type Deal = v.InferOutput<typeof Deal>

/**
 * A batch as it is resumed: it names places of questions, never their texts. Earlier ones name a material where these name its
 * parts.
 */
export const Snapshot = v.object({
  v: v.literal(1),
  at: v.pipe(v.number(), v.integer(), v.minValue(0)),
  mode: v.picklist(['practice', 'recite', 'exam', 'review']),
  // A retired question has no place.
  items: v.array(v.object({ no: No, chapterNo: v.string(), libraryNo: v.string(), block: v.number() })),
  parts: v.record(
    v.string(),
    v.object({
      response: Response,
      right: v.nullable(v.boolean()),
      opened: v.boolean(),
      spentMs: v.number(),
      opId: v.optional(v.string()),
      flagged: v.optional(v.boolean()),
      strict: v.optional(v.boolean()),
      struck: v.exactOptional(v.array(v.string())),
    }),
  ),
  deal: v.exactOptional(Deal),
  /** Earlier ones do not say. */
  dealt: v.exactOptional(v.literal(true)),
  usedMs: v.exactOptional(v.number()),
})
export type Snapshot = v.InferOutput<typeof Snapshot>

const batch = { schema: Snapshot, writtenBy: 'question', life: 'task' } as const
/** Chapter practice, by the chapter's or the library's number. */
export const chapterBatch = declareDraft({ ...batch, prefix: 'batch' })
/** 每日一练, by the library's number. */
export const dailyBatch = declareDraft({ ...batch, prefix: 'daily' })
/** 错题练习: place, whether it is 巩固, mode, and which part of the error book. */
export const errorBatch = declareDraft({ ...batch, prefix: 'errors' })
/** 收藏练习, by chapter, library, folder or `all`. */
export const collectionBatch = declareDraft({ ...batch, prefix: 'collected' })
/** 笔记练习, by chapter, library or `all`. */
export const noteBatch = declareDraft({ ...batch, prefix: 'noted' })

/** The sitting of 今日任务. */
export const todayBatch = declareDraft({ ...batch, prefix: 'today' })

/** Batches that were handed in and then left, by the key of their draft: another tab may have one of them open still. */
export const endedBatches = declareDraft({
  prefix: 'ended',
  schema: v.array(v.string()),
  writtenBy: 'offline',
  life: 'kept',
})

const RoundHint = v.object({ from: v.number(), round: v.number() })
export type RoundHint = v.InferOutput<typeof RoundHint>
/** Says where chapter practice looks first for undone questions, and since when this round counts; by the chapter's number. */
export const roundHint = declareDraft({ prefix: 'hint', schema: RoundHint, writtenBy: 'question', life: 'kept' })

const Dealt = v.object({ day: v.number(), nos: v.array(v.string()) })
export type Dealt = v.InferOutput<typeof Dealt>
/**
 * Holds the batch that 每日一练 dealt on a day, by the library's number. A batch of another day is not gone on with, but for an exam.
 */
export const dailyDealt = declareDraft({ prefix: 'dailyDealt', schema: Dealt, writtenBy: 'question', life: 'day' })
/** Reviews, and how long they were expected to take, ms; earlier releases do not say. */
const ReviewsDealt = v.object({ ...Dealt.entries, ms: v.exactOptional(v.number()) })
/** Lists the reviews that were dealt on a day: the rest of a long pause is for the days after. */
export const reviewsDealt = declareDraft({ prefix: 'reviews', schema: ReviewsDealt, writtenBy: 'offline', life: 'day' })
/** The share, the minutes and the questions done that the choice was made for, what each is expected to take, ms, by number, and how far the device has looked. */
const LapsesChosen = v.object({
  day: v.number(),
  share: v.number(),
  minutes: v.number(),
  done: v.number(),
  ms: v.record(v.string(), v.number()),
  pool: v.array(v.string()),
  lookedTo: v.string(),
})
/** Holds what was never wrong and comes back on a day, the best of what was looked at so far, and where to look on. */
export const lapsesChosen = declareDraft({ prefix: 'lapses', schema: LapsesChosen, writtenBy: 'offline', life: 'day' })
const DailyDone = v.object({ day: v.number(), libraries: v.array(v.string()) })
export type DailyDone = v.InferOutput<typeof DailyDone>
/** Libraries whose 每日一练 was finished on this device, on the last day that any was. */
export const dailyDone = declareDraft({ prefix: 'dailyDone', schema: DailyDone, writtenBy: 'offline', life: 'day' })

const TodayDealt = v.object({
  day: v.number(),
  /** It was cut to so many minutes; null: it has all of the task. */
  minutes: v.nullable(v.number()),
  /** The task was done already: these come beyond it. */
  more: v.boolean(),
  /** The library of its 每日一练, if all that is left of it is here: its last answer finishes it. */
  finishes: v.nullable(No),
  review: v.array(No),
  daily: v.array(No),
  fresh: v.array(No),
  /** These parts have fewer, because questions are not on this device. */
  away: v.array(v.picklist(TASK_PARTS)),
})
export type TodayDealt = v.InferOutput<typeof TodayDealt>
/** Says which question of the sitting of 今日任务 belongs to which part of the task. */
export const todayDealt = declareDraft({ prefix: 'todayDealt', schema: TodayDealt, writtenBy: 'question', life: 'day' })

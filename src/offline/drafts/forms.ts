import * as v from 'valibot'
import { declareDraft } from './kind.ts'

const TypedAddress = v.object({
  /** A new address gets its id here, so that it is added once, however often it is sent. */
  id: v.string(),
  name: v.string(),
  mobile: v.string(),
  province: v.string(),
  city: v.string(),
  district: v.string(),
  detail: v.string(),
  isDefault: v.boolean(),
})
/** The form as it is being filled in; '' where nothing is chosen yet. */
export type TypedAddress = v.InferOutput<typeof TypedAddress>
/** Its key names the address's id, or `new`. */
export const typedAddress = declareDraft({
  prefix: 'address',
  schema: TypedAddress,
  writtenBy: 'address',
  life: 'task',
})

const TypedLessonNote = v.object({ noteNo: v.string(), second: v.number(), text: v.string() })
export type TypedLessonNote = v.InferOutput<typeof TypedLessonNote>
/** A note on a lesson as it is being written, by the lesson's number. */
export const typedLessonNote = declareDraft({
  prefix: 'lessonNote',
  schema: TypedLessonNote,
  writtenBy: 'course',
  life: 'task',
})

const Second = v.number()
const Watched = v.object({
  courseNo: v.string(),
  lessonNo: v.string(),
  watched: v.array(v.tuple([Second, Second])),
  position: Second,
  /** Epoch ms by the server's clock. */
  at: v.number(),
})
/** A part of a lesson that was played and is in no op yet, for when the page is killed. */
export type Watched = v.InferOutput<typeof Watched>
/** Its key names the lesson and the page's own id, so that two tabs with one lesson keep a draft each. */
export const unsentWatching = declareDraft({ prefix: 'watch', schema: Watched, writtenBy: 'course', life: 'task' })

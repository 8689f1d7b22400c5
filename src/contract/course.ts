import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Question } from './question.ts'
import { Count, Cover, EpochMs, Html, No, Rev } from './scalar.ts'

export const COURSE_KINDS = ['video', 'audio'] as const
export const CourseKind = v.picklist(COURSE_KINDS)
export type CourseKind = v.InferOutput<typeof CourseKind>

const named = { no: No, title: v.string() }
/** What a course or a package of courses costs, and whose it is. */
const sold = {
  /** Fen; 0 is free. */
  price: Count,
  /** Comes with a VIP package, too. */
  vip: v.boolean(),
  /** How long it is one's own after it was bought; null: for good. */
  days: v.nullable(Count),
  /** The server lets this student have all of it: it is free, or theirs. */
  open: v.boolean(),
  /** It is theirs by VIP alone. */
  byVip: v.boolean(),
  /** Offered no more: in no list, and open only to those whose it is. */
  withdrawn: v.boolean(),
  /** When what was bought ends; null: it is free, for good, or not theirs. */
  until: v.nullable(EpochMs),
}
const head = {
  ...named,
  ...sold,
  kind: CourseKind,
  /** 科目, for filtering; null: of none. */
  subject: v.nullable(v.object({ no: No, name: v.string() })),
  cover: Cover,
  teacher: v.string(),
  /** When it was published. */
  at: EpochMs,
  /** Of all lessons. */
  seconds: Count,
  /** Its lessons' numbers in their order, for progress. */
  lessons: v.array(No),
  /** How many of them anybody may have, 试看. */
  trials: Count,
}
export const CourseHead = v.object(head)
export type CourseHead = v.InferOutput<typeof CourseHead>

/** 流畅, 标清, 高清; of sound alone other names. */
const QUALITIES = ['smooth', 'standard', 'high'] as const
export type Quality = (typeof QUALITIES)[number]
/** One of the qualities that a lesson can be had in. */
const LessonSize = v.object({
  quality: v.picklist(QUALITIES),
  /** The shorter side of its picture, px; null: sound alone, or not known. */
  lines: v.nullable(Count),
  /** What its download weighs. */
  bytes: Count,
})
export type LessonSize = v.InferOutput<typeof LessonSize>

/** 课时 */
const Lesson = v.object({
  ...named,
  seconds: Count,
  /** 试看: for everybody. */
  trial: v.boolean(),
  /** What its download weighs. */
  bytes: Count,
  /** What a student may choose from, the smallest first. Empty, or absent in what was kept before: there is no choice. */
  sizes: v.optional(v.array(LessonSize)),
  subtitles: v.boolean(),
  /** Which version of its files is offered now. Answers that were kept before lessons told it lack both. */
  rev: v.optional(Rev),
  edition: v.optional(Count),
})
export type Lesson = v.InferOutput<typeof Lesson>
const Unit = v.object({ ...named, lessons: v.array(Lesson) })
export type Unit = v.InferOutput<typeof Unit>
const PackageHead = v.object({ ...named, ...sold, cover: Cover, intro: Html, courses: v.array(No) })
export type PackageHead = v.InferOutput<typeof PackageHead>
const CourseDetail = v.object({
  ...head,
  intro: Html,
  aboutTeacher: Html,
  units: v.array(Unit),
  /** 相关题库 */
  libraries: v.array(v.object(named)),
  /**
   * 讲义: PDF files of ours, `src` an address of this site by which it is known and kept; null: the course is not theirs. Only of
   * a free course does it give the file; `handout` says where it is else.
   */
  handouts: v.array(v.object({ title: v.string(), src: v.nullable(v.string()), bytes: Count })),
  /** It is sold with others in these. */
  packages: v.array(v.object({ ...named, price: Count })),
})
export type CourseDetail = v.InferOutput<typeof CourseDetail>
const PackageDetail = v.object({ ...named, ...sold, cover: Cover, intro: Html, courses: v.array(CourseDetail) })
export type PackageDetail = v.InferOutput<typeof PackageDetail>

const MediaFile = v.object({
  /** Below the media's base. */
  name: v.string(),
  type: v.string(),
  bytes: Count,
  /**
   * SHA-256 in hex of each PART_BYTES of it, the last one shorter: what is downloaded is verified as it comes. Who plays a lesson
   * needs none of them.
   */
  parts: v.optional(v.array(v.string())),
})
export type PlayedFile = v.InferOutput<typeof MediaFile>
export type MediaFile = PlayedFile & { parts: string[] }
/** One quality of a playlist: its own list of pieces, which plays by itself. */
const Variant = v.object({
  /** What an element is asked about, codecs and all. */
  type: v.string(),
  lines: v.nullable(Count),
  main: v.string(),
  /** Places in the rendition's files: all that it is made of. */
  files: v.array(Count),
})
export type Variant = v.InferOutput<typeof Variant>
/** One way to have a lesson: a file, or a playlist (HLS) with all that it names. The first one that the device can play is taken. */
const Rendition = v.object({
  /** What an element is asked about (canPlayType), codecs and all; of a playlist application/vnd.apple.mpegurl. */
  type: v.string(),
  /** What is played: one of `files`. */
  main: v.string(),
  files: v.array(MediaFile),
  /** Of a file: the shorter side of its picture, px. Absent in what was imported before it was read. */
  lines: v.optional(v.nullable(Count)),
  /** Of a playlist of playlists. Absent in what was imported before they were kept apart: it is had whole. */
  variants: v.optional(v.array(Variant)),
})
export type PlayedRendition = v.InferOutput<typeof Rendition>
export type Rendition = Omit<PlayedRendition, 'files'> & { files: MediaFile[] }
/** A question that a lesson asks when it has played to `at`, whole seconds from its beginning. */
const LessonQuestion = v.object({ at: Count, question: Question, chapterNo: No, libraryNo: No })
export type LessonQuestion = v.InferOutput<typeof LessonQuestion>
const LessonMedia = v.object({
  lesson: No,
  course: No,
  kind: CourseKind,
  rev: Rev,
  /** Goes up by one whenever other files take the place of its files: of two answers, the higher one is the newer. */
  edition: v.optional(Count),
  /** What all names of files stand under, with a trailing slash: `/media/lesson/<signature>/<lesson>/<rev>/`. */
  base: v.string(),
  /** When this address ends; a new one is then asked for. */
  until: EpochMs,
  /** When the right to this lesson ends; null: it needs none, or has it for good. */
  rightUntil: v.nullable(EpochMs),
  renditions: v.array(Rendition),
  /** WebVTT files. `lang` is a BCP 47 tag. */
  subtitles: v.array(v.object({ lang: v.string(), label: v.string(), file: MediaFile })),
  /** In the order of time. What was downloaded before lessons had questions has none. */
  questions: v.optional(v.array(LessonQuestion)),
})
/** A lesson as it is asked for to be played, without hashes. */
export type PlayedMedia = v.InferOutput<typeof LessonMedia>
type Subtitles = Omit<PlayedMedia['subtitles'][number], 'file'> & { file: MediaFile }
/** A lesson as it is asked for to be downloaded: every file has its hashes. */
export type LessonMedia = Omit<PlayedMedia, 'renditions' | 'subtitles'> & {
  renditions: Rendition[]
  subtitles: Subtitles[]
}
const FoundSaid = v.object({
  course: v.object({ ...named, kind: CourseKind, open: v.boolean(), subject: v.nullable(No) }),
  lesson: v.object(named),
  /** Seconds from its beginning. */
  at: v.pipe(v.number(), v.minValue(0)),
  /** What is said there, plain text: two lines where what was asked for lies across them. */
  text: v.string(),
})
export type FoundSaid = v.InferOutput<typeof FoundSaid>
/** Parts that a lesson's files are downloaded, verified and kept by. */
export const PART_BYTES = 1024 * 1024

export const course = {
  /** Every course of the scope's direction and area, in the operator's order: filtered, searched and sorted on the device. */
  list: endpoint({
    path: 'course/list',
    access: 'open',
    keep: 'worker',
    input: v.object({}),
    output: v.array(CourseHead),
  }),
  detail: endpoint({
    path: 'course/detail',
    access: 'open',
    keep: 'worker',
    input: v.object({ no: No }),
    output: CourseDetail,
  }),
  packages: endpoint({
    path: 'course/packages',
    access: 'open',
    keep: 'worker',
    input: v.object({}),
    output: v.array(PackageHead),
  }),
  /** Several courses sold together, each with its catalogue. */
  package: endpoint({
    path: 'course/package',
    access: 'open',
    keep: 'worker',
    input: v.object({ no: No }),
    output: PackageDetail,
  }),
  /** Courses that the student has bought or has begun, what was watched last first; of any direction. */
  mine: endpoint({
    path: 'course/mine',
    access: 'user',
    keep: 'worker',
    input: v.object({}),
    output: v.array(CourseHead),
  }),
  /**
   * Where a lesson's files are, for a while. Refused, with what to buy, to whom it is not open. Apps that were built before `hashes`
   * do not send it and read the hashes of every answer; who plays sends false, as they weigh 67 bytes for each megabyte of a lesson.
   */
  lesson: endpoint({
    path: 'course/lesson',
    access: 'open',
    keep: 'nowhere',
    input: v.object({ no: No, hashes: v.optional(v.boolean(), true) }),
    output: LessonMedia,
  }),
  /**
   * 搜课程文稿: where a lesson that this student may open says all of these words, folded as domain/text/searchText.ts says. Lessons of
   * this direction and area, and whatever else is theirs. `more`: there are others.
   */
  said: endpoint({
    path: 'course/said',
    access: 'open',
    keep: 'nowhere',
    input: v.object({ words: v.pipe(v.string(), v.maxLength(500)) }),
    output: v.object({ found: v.array(FoundSaid), more: v.boolean() }),
  }),
  /** Where a handout's file is, for a while, by its `src`. Refused as `lesson` is. */
  handout: endpoint({
    path: 'course/handout',
    access: 'open',
    keep: 'nowhere',
    input: v.object({ src: v.pipe(v.string(), v.regex(/^\/media\/[a-f0-9]{16,64}\.pdf$/, '讲义地址不正确')) }),
    output: v.object({ src: v.string(), until: EpochMs }),
  }),
}

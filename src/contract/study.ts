import * as v from 'valibot'
import {
  SittingRecord,
  ExamSittingRecord,
  ExamBegin,
  ExamChoice,
  ExamHandIn,
  HandIn,
  SelfMark,
  SetHandIn,
} from './sitting.ts'
import { CAUSES, NOTE_MAX, type OpKind, REPORT_REASONS, SOURCES, SYNC_ADDRESS, SYNC_MAX_OPS } from './sync.ts'
import { CourseKind } from './course.ts'
import { endpoint } from './endpoint.ts'
import { LISTED_TYPES } from './question.ts'
import { Response } from './response.ts'
import { Count, DurationMs, EpochMs, Key, No, OpId } from './scalar.ts'

const Source = v.picklist(SOURCES)
export type Source = v.InferOutput<typeof Source>
const Cause = v.picklist(CAUSES)
export type Cause = v.InferOutput<typeof Cause>
/** Made on the device, short enough for a path. '' is the folder that everybody has. */
const FolderNo = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{0,36}$/))
/** Earlier ops that this one takes the place of: what another device did meanwhile is not among them, and stays. */
const Over = v.pipe(v.array(OpId), v.maxLength(100))

const Book = v.object({
  /** Right answers in a row since it came in. */
  rights: Count,
  /** When it came in, last. */
  since: EpochMs,
  from: v.picklist([...SOURCES, 'hand']),
  /** Taken out by hand. */
  out: v.boolean(),
})
const byHand = { questionNo: No, in: v.boolean() }
/** `as`: exactly so, to undo; null: it was never in. */
const BookPayload = v.object({ ...byHand, as: v.optional(v.nullable(Book)) })

const answered = { questionNo: No, response: Response, spentMs: DurationMs }
const AnswerPayload = v.object({
  ...answered,
  from: Source,
  /** Of the question as it was shown. */
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
})
export type AnswerPayload = v.InferOutput<typeof AnswerPayload>
/** So many of a day's reviews are told to other devices: most days have fewer, and it keeps the op small. */
export const DEALT_MAX = 200
/** What a student decides of themself, one value a name; the newest counts. */
export const SETTINGS = {
  /** Right answers in a row that take a question out of the error book; 0: by hand only. */
  errorRule: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(5)),
  /** Questions a day. */
  dayGoal: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000)),
  /** For reviewing. */
  minutesADay: v.pipe(v.number(), v.integer(), v.minValue(5), v.maxValue(600)),
  /** So many percent of the day's reviews are for what was never wrong. */
  lapseShare: v.picklist([0, 10, 20, 30]),
  /** YYYY-MM-DD; '' while there is none. */
  examDate: v.pipe(v.string(), v.regex(/^(\d{4}-\d{2}-\d{2})?$/, '日期不正确')),
  /** Up to when the student has read what there was to know, and the replies to 纠错. */
  noticesSeen: EpochMs,
  repliesSeen: EpochMs,
  /** The day (of Asia/Shanghai) whose 每日一练 was finished last. */
  dailyDone: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000)),
  /** The day (as above) and the numbers of the reviews that were dealt on it, on whatever device: another one goes on with them. */
  reviewsDealt: v.pipe(v.string(), v.regex(new RegExp(`^\\d{1,6}( \\w{1,64}){1,${DEALT_MAX}}$`))),
  /** Earlier versions of the app send it: 1 took the name out of rankings, where it needs consent now. */
  rankHidden: v.picklist([0, 1]),
  /** 每日提醒, HH:MM of Asia/Shanghai. */
  reminderAt: v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, '提醒时间不正确')),
  /** No reminder comes from the first time until the second. */
  reminderQuiet: v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/, '免打扰时段不正确')),
} as const

const Second = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(86_400))
/** Parts of a lesson, each from a second up to a later one. */
const Spans = v.array(
  v.pipe(
    v.tuple([Second, Second]),
    v.check(([from, to]) => from < to),
  ),
)

/** A text of the student's own at a second of a lesson. */
const atLesson = {
  courseNo: No,
  lessonNo: No,
  /** Of the course: where it plays. */
  ofKind: CourseKind,
  /** Course and lesson as they were called: a device that has neither shows the note all the same. */
  titles: v.tuple([v.pipe(v.string(), v.maxLength(200)), v.pipe(v.string(), v.maxLength(200))]),
  second: Second,
  /** '' deletes. */
  text: v.pipe(v.string(), v.maxLength(NOTE_MAX)),
}

/** Payload schemas by `kind` and `v`. A changed meaning is a new kind, a changed shape a new version. */
export const OP_PAYLOADS = {
  /** A marked answer, in any mode that marks at once. The server marks again with its own key. */
  answer: {
    1: v.pipe(
      v.object({ ...answered, from: v.literal('library') }),
      v.transform((old): AnswerPayload => ({ ...old, version: 1 })),
    ),
    2: AnswerPayload,
  },
  /** Undoes an answer of the same student: it counts as never given. */
  retract: { 1: v.object({ questionNo: No, target: OpId }) },
  /** Into the error book, or out of it, by hand. */
  book: {
    1: v.pipe(
      v.object(byHand),
      v.transform((old): v.InferOutput<typeof BookPayload> => old),
    ),
    2: BookPayload,
  },
  cause: { 1: v.object({ questionNo: No, cause: v.union([Cause, v.literal('')]) }) },
  /** `folder` null: no longer collected. */
  collect: { 1: v.object({ questionNo: No, folder: v.nullable(FolderNo), over: Over }) },
  /** '' deletes. */
  note: { 1: v.object({ questionNo: No, text: v.pipe(v.string(), v.maxLength(NOTE_MAX)), over: Over }) },
  /** A folder's name; '' deletes it, and what it holds moves to the one that everybody has. */
  folder: { 1: v.object({ no: v.pipe(FolderNo, v.minLength(1)), name: v.pipe(v.string(), v.maxLength(20)) }) },
  setting: {
    1: v.variant('name', [
      v.object({ name: v.literal('errorRule'), value: SETTINGS.errorRule }),
      v.object({ name: v.literal('dayGoal'), value: SETTINGS.dayGoal }),
      v.object({ name: v.literal('minutesADay'), value: SETTINGS.minutesADay }),
      v.object({ name: v.literal('lapseShare'), value: SETTINGS.lapseShare }),
      v.object({ name: v.literal('examDate'), value: SETTINGS.examDate }),
      v.object({ name: v.literal('noticesSeen'), value: SETTINGS.noticesSeen }),
      v.object({ name: v.literal('repliesSeen'), value: SETTINGS.repliesSeen }),
      v.object({ name: v.literal('dailyDone'), value: SETTINGS.dailyDone }),
      v.object({ name: v.literal('reviewsDealt'), value: SETTINGS.reviewsDealt }),
      v.object({ name: v.literal('rankHidden'), value: SETTINGS.rankHidden }),
      v.object({ name: v.literal('reminderAt'), value: SETTINGS.reminderAt }),
      v.object({ name: v.literal('reminderQuiet'), value: SETTINGS.reminderQuiet }),
    ]),
  },
  /** 交卷: these answers and no others are the sitting's; the server marks them by its own copy of the paper. */
  handIn: { 1: SetHandIn, 2: HandIn },
  /** Essays that the student has marked after the hand-in. */
  selfMark: { 1: SelfMark },
  report: {
    1: v.object({
      questionNo: No,
      version: AnswerPayload.entries.version,
      reason: v.picklist(REPORT_REASONS),
      text: v.pipe(v.string(), v.maxLength(500)),
    }),
  },
  /** A sitting of an exam: begun, each choice as it is made, handed in. None of them says or tells a mark. */
  examBegin: { 1: ExamBegin },
  examChoice: { 1: ExamChoice },
  examHandIn: { 1: ExamHandIn },
  /** Of a lesson: what was watched or heard since the last such op, and where it stands. */
  watch: {
    1: v.object({ courseNo: No, lessonNo: No, watched: v.pipe(Spans, v.maxLength(100)), position: Second }),
  },
  /** 课时笔记, whole at each word of it. Its number is made on the device. */
  lessonNote: { 1: v.object({ noteNo: OpId, ...atLesson }) },
} as const satisfies Record<OpKind, Record<number, v.GenericSchema>>
type Versions<K extends OpKind> = (typeof OP_PAYLOADS)[K][keyof (typeof OP_PAYLOADS)[K]]
/** As this version of the app understands it. */
export type OpPayload<K extends OpKind> = Versions<K> extends v.GenericSchema ? v.InferOutput<Versions<K>> : never
/**
 * An op as it is on disk and on the wire, token-free. `payload` is checked per op by OP_PAYLOADS, so one bad or unknown op
 * never fails its batch.
 */
/** How a device measures time, whatever is done to its clock. */
const Measured = v.object({
  /** Epoch ms that never go back: what was done later has as much or more. */
  own: EpochMs,
  /** ms that passed for certain since the device began to count: never more than really passed. */
  sure: Count,
})
export type Measured = v.InferOutput<typeof Measured>

export const OpRecord = v.object({
  opId: OpId,
  /** Per owner and device, from 1, without holes. */
  seq: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** Unit of ordering, such as `q:<questionNo>`. */
  stream: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  kind: v.pipe(v.string(), v.minLength(1), v.maxLength(40)),
  v: v.pipe(v.number(), v.integer(), v.minValue(1)),
  payload: v.unknown(),
  ctx: v.object({ sg_key: Key, area: Key, key: Key }),
  /** The device's clock when the student acted; never used for order. */
  clientAt: EpochMs,
  /** The same moment by the device's own measure; apps before have none. */
  measured: v.exactOptional(
    v.object({
      ...Measured.entries,
      /** It was not before this, by the server's clock as the device had heard it. */
      since: v.exactOptional(EpochMs),
    }),
  ),
})
export type OpRecord = v.InferOutput<typeof OpRecord>

export const Verdict = v.variant('verdict', [
  v.object({ opId: v.string(), verdict: v.literal('applied') }),
  v.object({ opId: v.string(), verdict: v.literal('duplicate') }),
  /** Final. `code` is for programs, `msg` is Chinese, for the student. */
  v.object({
    opId: v.string(),
    verdict: v.literal('rejected'),
    code: v.string(),
    msg: v.string(),
    /** Of what it names, the ids that the server has not got. */
    missing: v.exactOptional(v.array(v.string())),
  }),
  v.object({ opId: v.string(), verdict: v.literal('retry'), afterMs: Count }),
  /** This server does not know the kind or version: keep it, ask for an update. */
  v.object({ opId: v.string(), verdict: v.literal('unsupported') }),
])
export type Verdict = v.InferOutput<typeof Verdict>

const Type = v.picklist(LISTED_TYPES)
/** What FSRS knows of a memory, rounded to 4 decimals so that every engine folds the same. */
const Memory = v.object({
  stability: v.number(),
  difficulty: v.number(),
  /** Whole days until it is due, where they are not those of its stability alone. */
  days: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
})
export type Memory = v.InferOutput<typeof Memory>

/** 学习状态 of one student on one question (a sub-question has its own). What is not there yet is left out. */
export const StudyState = v.object({
  questionNo: No,
  /** The leaf chapter, for counting; null when the question has been retired. */
  chapterNo: v.nullable(No),
  libraryNo: v.nullable(No),
  type: Type,
  /** 知识点 */
  points: v.array(No),
  times: Count,
  wrong: Count,
  /** Right answers in a row, up to now. */
  streak: Count,
  /** Of the last answer; 0, false and null while there is none. */
  lastAt: EpochMs,
  lastRight: v.boolean(),
  lastResponse: v.nullable(Response),
  spentMs: Count,
  /** Answers before the last one, newest first, a few of them; texts of essays are left out. */
  earlier: v.optional(v.array(v.object({ at: EpochMs, right: v.boolean(), response: Response }))),
  memory: v.optional(Memory),
  /** In the error book, or on its shelf of what is mastered. */
  book: v.optional(Book),
  cause: v.optional(Cause),
  /** More than one: two devices collected without knowing of each other. */
  collected: v.optional(v.array(v.object({ opId: v.string(), at: EpochMs, folder: FolderNo }))),
  /** More than one: two devices wrote without knowing of each other; both texts are kept. */
  notes: v.optional(v.array(v.object({ opId: v.string(), at: EpochMs, text: v.string() }))),
})
export type StudyState = v.InferOutput<typeof StudyState>

/** What a student did on one day (Asia/Shanghai), by the number of the day since 1970-01-01. */
export const DayTotals = v.object({ answered: Count, right: Count, spentMs: Count })
export type DayTotals = v.InferOutput<typeof DayTotals>
const latest = { at: EpochMs, opId: v.string() }
export const REPORT_STATUSES = ['received', 'fixed', 'declined'] as const
export type ReportStatus = (typeof REPORT_STATUSES)[number]
const Report = v.object({
  questionNo: No,
  reason: v.picklist(REPORT_REASONS),
  text: v.string(),
  at: EpochMs,
  status: v.picklist(REPORT_STATUSES),
  /** Of the operator; '' while there is none. */
  reply: v.string(),
  answeredAt: v.optional(EpochMs),
})
/** An answer of the student counts otherwise since its question was corrected. */
const Notice = v.object({
  at: EpochMs,
  /** Of the corrected question. */
  version: AnswerPayload.entries.version,
  /** How the last of the answers concerned was marked, and how it is now. */
  was: v.boolean(),
  right: v.boolean(),
  /** That answer as it was given: ids of options, or texts of blanks; an essay has none. */
  chosen: v.array(v.string()),
})
export const SHOP_EVENTS = ['ship', 'decline', 'refund'] as const
/** What the shop did last with an order. */
const OrderNews = v.object({
  at: EpochMs,
  event: v.picklist(SHOP_EVENTS),
  /** Of the first of so many lines. */
  title: v.string(),
  lines: Count,
  /** ship: the parcel; decline: why; refund: of money that came too late, that; otherwise ''. */
  note: v.string(),
  /** Fen that went back; otherwise 0. */
  refunded: Count,
})
const Id = v.pipe(v.string(), v.maxLength(64))
/** Things of a student that belong to no question, by kind and id. */
const ThingChange = v.variant('kind', [
  v.object({ kind: v.literal('day'), id: Id, body: DayTotals }),
  v.object({ kind: v.literal('folder'), id: Id, body: v.object({ ...latest, name: v.string() }) }),
  v.object({
    kind: v.literal('setting'),
    id: Id,
    body: v.object({ ...latest, value: v.union([v.string(), v.number()]) }),
  }),
  /** A sitting that is handed in. */
  v.object({ kind: v.literal('attempt'), id: Id, body: SittingRecord }),
  /** A sitting of an exam, from its begin. */
  v.object({ kind: v.literal('exam'), id: Id, body: ExamSittingRecord }),
  /** What of a lesson was watched, on any device, in order and apart; and where it stood last. Its id is the lesson's number. */
  v.object({
    kind: v.literal('lesson'),
    id: Id,
    body: v.object({ ...latest, courseNo: No, watched: Spans, position: Second }),
  }),
  /** Its id is the note's number. A deleted one stays with the text '', so that no older word brings it back. */
  v.object({ kind: v.literal('lessonNote'), id: Id, body: v.object({ ...latest, ...atLesson }) }),
  /** Its id is the op's. */
  v.object({ kind: v.literal('report'), id: Id, body: Report }),
  /** Its id is the question's number. */
  v.object({ kind: v.literal('notice'), id: Id, body: Notice }),
  /** Its id is the order's. */
  v.object({ kind: v.literal('order'), id: Id, body: OrderNews }),
])
export type ThingChange = v.InferOutput<typeof ThingChange>
export type Thing<K extends ThingChange['kind']> = Extract<ThingChange, { kind: K }>['body']

/** Something of the student's record that became different since a cursor; the newest row replaces the older. */
export const Change = v.variant('kind', [
  v.object({ kind: v.literal('state'), state: StudyState }),
  ...ThingChange.options,
])
export type Change = v.InferOutput<typeof Change>

export const study = {
  /**
   * Takes ops in any order, any number of times, and tells what changed since `cursor` (0: everything), in the server's
   * order, paged: ask again with the returned cursor while `more`. `ops` may be empty. Every op gets a verdict; the batch
   * never half-fails. Refused as a whole when `owner` is not the token's student.
   */
  sync: endpoint({
    path: SYNC_ADDRESS.path,
    access: 'user',
    keep: 'nowhere',
    input: v.object({
      device: v.pipe(v.string(), v.uuid()),
      owner: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
      proto: v.literal(1),
      /** The device's clock at sending: `sentAt - clientAt` is an op's age, free of clock skew. */
      sentAt: EpochMs,
      measured: v.exactOptional(Measured),
      cursor: Count,
      ops: v.pipe(v.array(OpRecord), v.maxLength(SYNC_MAX_OPS * 2)),
    }),
    output: v.object({
      verdicts: v.array(Verdict),
      changes: v.array(Change),
      cursor: Count,
      more: v.boolean(),
      /** It counts the changes behind this page; a call without ops is told. */
      left: v.exactOptional(Count),
      /** Highest seq of this device up to which the server has every op. An audit figure: nothing depends on it. */
      ackSeq: Count,
      serverNow: EpochMs,
    }),
  }),
}

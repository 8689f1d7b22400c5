import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Address } from '#src/contract/address.ts'
import type { CourseDetail, CourseKind, LessonMedia } from '#src/contract/course.ts'
import type { ExamDetail, ExamKind } from '#src/contract/exam.ts'
import type { CalendarKind, NewsKind } from '#src/contract/news.ts'
import type { Picture } from '#src/contract/question.ts'
import type { SetKind } from '#src/contract/questionSet.ts'
import type { Cover } from '#src/contract/scalar.ts'
import type { Change } from '#src/contract/study.ts'
import type { Markable, PartialRule } from '#src/domain/question/rules.ts'
import type { RightKind } from '#src/domain/money/rights.ts'
import type { AgreementTables } from './agreementTables.ts'
import type { JobTables } from './jobTables.ts'
import type { RecallTables } from './recallTables.ts'
import type { SaleTables } from './saleTables.ts'
import type { TestingTables } from './testingTables.ts'
import type { UploadTables } from './uploadTables.ts'

/** What a library's download weighs: bytes on the wire, texts and pictures apart. */
export interface Weight {
  rev: string
  bytes: number
  pictureBytes: number
  pictures: Picture[]
}

/** Times are bigint epoch milliseconds, read as numbers (db/open.ts sets the parser). JSON columns are read as values. */
export interface Tables extends AgreementTables, JobTables, RecallTables, SaleTables, TestingTables, UploadTables {
  student: {
    uid: string
    mobile: string
    nickname: string
    portrait: string
    /** argon2id PHC string; null while the student has only logged in by code. */
    password: string | null
    created_at: number
    /** Counter behind every row's `rev`; a batch is written only if it has not moved since it was read, so revs commit in order. */
    study_rev: Generated<number>
  }
  /**
   * Login sessions. `token_hash` is sha256 of the token, hex; the token itself is never stored. `id` is what a student may see of
   * it, `device` by login/device.ts; '' before it was written down.
   */
  session: {
    token_hash: string
    uid: string
    id: Generated<string>
    device: Generated<string>
    created_at: number
    expires_at: number
    seen_at: number
  }
  ended_session: { token_hash: string; at: number }
  known_device: { uid: string; device_hash: string; seen_at: number }
  image_code: { id: string; mobile: string; code: string; expires_at: number }
  sms_code: { mobile: string; code_hash: string; expires_at: number; wrong: Generated<number> }
  /** Fixed-window counters: `key` names what is limited and whom, such as `sms:mobile:day:<mobile>`. */
  rate: { key: string; window_start: number; hits: number }
  /** Written and read by security/store.ts. `times` until `last_at`; `mobile` masked; `uid` null: no student, or none any more. */
  security_event: {
    id: Generated<number>
    at: number
    last_at: number
    times: Generated<number>
    kind: string
    uid: string | null
    mobile: string
    network: string
    detail: string
  }
  setting: { key: string; value: string }
  /** 收货地址: `id` was made by the page. `place` holds names as they were when it was saved. One default a student. */
  address: {
    uid: string
    id: string
    name: string
    mobile: string
    place: JSONColumnType<Pick<Address, 'province' | 'city' | 'district'>>
    detail: string
    is_default: boolean
    created_at: number
  }
  /** Changes of settings by the operator's command; null: not set. */
  operator_log: { id: Generated<number>; at: number; what: string; before: string | null; after: string | null }

  area: { key: string; name: string; position: number }
  exam_category: { no: string; name: string; position: number }
  /** `areas` empty: open everywhere. `subjects` are in the order of its papers; others come after them. */
  exam_direction: {
    key: string
    category_no: string
    name: string
    position: number
    areas: string[]
    about: Generated<string>
    subjects: Generated<string[]>
  }
  subject: { no: string; name: string; position: number }
  point: { no: string; subject_no: string; parent: string | null; name: string; position: number }

  /** `directions` and `areas` empty: for every direction, everywhere. */
  library: {
    no: string
    subject_no: string
    title: string
    directions: string[]
    areas: string[]
    position: number
    pack: JSONColumnType<Weight> | null
    /** Not to be practised from: its questions are for sets alone. */
    sets_only: Generated<boolean>
  }
  chapter: { no: string; library_no: string; parent: string | null; title: string; position: number; total: number }
  /** A top-level question. `body` is the contract's Question; `hash` of its content finds doubles and changes. */
  question: {
    no: string
    chapter_no: string | null
    position: number
    type: string
    hash: string
    body: JSONColumnType<object>
    retired: Generated<boolean>
    version: Generated<number>
    /** Anybody may have it, or could once: it has stood in an open library, a free set or what may be tried of a paid one. */
    free: boolean
  }
  /** Everything answerable: plain questions and the parts of composites, with what marking needs. Never deleted. */
  answerable: {
    no: string
    question_no: string
    chapter_no: string | null
    library_no: string | null
    points: string[]
    body: JSONColumnType<Markable>
    /** Of an exam, and not for everybody when it came into it: who may know its key is to be asked. */
    guarded: Generated<boolean>
    /** The version since which it asks what it asks now. */
    since: Generated<number>
    /** The version since which it is marked as it is now; keys before it are in answerable_past. */
    keyed: Generated<number>
  }
  /** First answers by what was chosen: ids of options, sorted. `right` counts only where there are none. */
  tally: { question_no: string; since: number; pick: string; n: number; right: number }
  /**
   * Questions of which students after `cursor` are to hear: their answers are marked again, or, where the questions have moved, their
   * records go to devices once more. Kept when done.
   */
  remark: {
    id: Generated<number>
    nos: string[]
    at: number
    cursor: Generated<string>
    done_at: number | null
    moved: Generated<boolean>
  }
  /** Students who were left out of a remark, because theirs failed; tried again at `due_at`. */
  remark_failed: { remark_id: number; uid: string; tries: number; due_at: number }
  /** What a formula was written in, by the hash of the MathML that was made of it. */
  formula: { key: string; latex: string }
  /** Ready answers of `question/block`: `body` is the JSON text of the questions array. */
  block: { chapter_no: string; at: number; rev: string; count: number; body: string }

  /** `directions` and `areas` as of a library; `price` in fen; `trial` questions may be tried by anybody. */
  question_set: {
    no: string
    kind: SetKind
    title: string
    intro: string
    directions: string[]
    areas: string[]
    price: number
    vip: boolean
    trial: number
    position: number
  }
  /**
   * A published paper. `body` is the JSON text of the contract's Sections, `trial` the part of it that anybody may see, which
   * leaves `trial_locked` questions out; `sections` are titles and notes alone.
   */
  set_item: {
    no: string
    set_no: string
    position: number
    title: string
    minutes: number
    partial: PartialRule
    count: number
    full_score: number
    sections: JSONColumnType<{ title: string; note: string }[]>
    rev: string
    body: string
    trial: string
    trial_locked: number
    retired: Generated<boolean>
  }
  /** Papers in every state in which they were published. */
  set_snapshot: { item_no: string; rev: string; partial: PartialRule; body: string; trial: string; free: boolean }
  /** Which question stands at which place of a paper, from 0; `rev` is its hash as published. */
  set_entry: { item_no: string; at: number; section: number; question_no: string; rev: string; scores: number[] }

  /** Every question that a set ever had. */
  set_question: { question_no: string; set_no: string; since: Generated<number> }
  /** 权益: `kind` and `no` name what a student has bought; `until` is its end, epoch ms, FOR_GOOD for none; `base` what of it no grant gave. Kept when it is over. */
  entitlement: { uid: string; kind: RightKind; no: string; until: number; base: Generated<number | null> }
  /** What came of a purchase or a code, `source`; of an entitlement all that are not revoked add up (rights/store.ts). */
  entitlement_grant: {
    uid: string
    source: string
    kind: RightKind
    no: string
    /** Null: until `until`, or for good. */
    days: number | null
    until: number | null
    at: number
    revoked_at: Generated<number | null>
  }

  /** 课程: `days` that it is one's own after it was bought, null for good; `libraries` are numbers of related ones. */
  course: {
    no: string
    kind: CourseKind
    title: string
    subject_no: string | null
    teacher: string
    about_teacher: string
    intro: string
    cover: JSONColumnType<Cover>
    directions: string[]
    areas: string[]
    price: number
    vip: boolean
    days: number | null
    published_at: number
    libraries: string[]
    handouts: JSONColumnType<CourseDetail['handouts']>
    /** Of its lessons that are not retired. */
    seconds: number
    trials: number
    /** Their numbers in their order. */
    lessons: string[]
    withdrawn: Generated<boolean>
    position: number
  }
  /** Shown while it has lessons that are not retired. */
  course_unit: { no: string; course_no: string; title: string; position: number }
  /**
   * 课时: `rev` is the hash of all its files, which are in DATA_DIR/media/lesson/<rev>; `bytes` what its download weighs; `edition`
   * goes up with each other rev (docs/decisions/lesson-versions.md 0080).
   */
  lesson: {
    no: string
    course_no: string
    unit_no: string
    title: string
    seconds: number
    trial: boolean
    bytes: number
    rev: string
    edition: Generated<number>
    media: JSONColumnType<Pick<LessonMedia, 'renditions' | 'subtitles'>>
    questions: JSONColumnType<{ at: number; no: string }[]>
    position: number
    retired: Generated<boolean>
  }
  course_package: {
    no: string
    title: string
    intro: string
    cover: JSONColumnType<Cover>
    directions: string[]
    areas: string[]
    price: number
    vip: boolean
    days: number | null
    withdrawn: Generated<boolean>
    position: number
  }
  /** Every course that a package ever had; `position` null: it has left it out since. */
  package_course: { package_no: string; course_no: string; position: number | null }

  /** 考试: `starts_at` and `ends_at` null, at any time; times in epoch ms. `sections` are what anybody may know of its paper. */
  exam: {
    no: string
    kind: ExamKind
    title: string
    intro: string
    directions: string[]
    areas: string[]
    price: number
    vip: boolean
    starts_at: number | null
    ends_at: number | null
    rank_closes_at: number | null
    minutes: number
    partial: PartialRule
    count: number
    full_score: number
    sections: JSONColumnType<ExamDetail['sections']>
    rev: string
    apply_count: Generated<number>
    position: number
  }
  /** `body` is the JSON text of the contract's Sections, keys and all; `asked` the same as AskedSections. */
  exam_paper: {
    exam_no: string
    rev: string
    partial: PartialRule
    body: string
    asked: string
    has_multiple: GeneratedAlways<boolean>
    minutes: number
    seal_key: Generated<Buffer>
  }
  /** `opened_at`: when the server gave this student the paper first, epoch ms; 0: before it was noted; null: not yet. */
  exam_apply: { exam_no: string; uid: string; at: number; opened_at: Generated<number | null> }
  /** Every question that an exam ever had. */
  exam_question: { question_no: string; exam_no: string }
  /**
   * The first sitting of an exam that the server heard of; `handed_at` is the arrival of its hand-in, `score` null: not ranked. A
   * ranked one outlives its student, under a uid that is nobody's.
   */
  exam_entry: {
    exam_no: string
    uid: string
    attempt_id: string
    handed_at: number | null
    counted: Generated<boolean>
    /** Sealed by the server, and not counted before its device has brought the rest, its key was given or the ranking has closed. */
    held: Generated<boolean>
    score: number | null
    elapsed_ms: number | null
    /** It came after its end: beside the name, whoever reads the ranking sees it. */
    late: Generated<boolean>
  }
  /** How many ranked sittings have a score: `part` 0 of the paper `rev`, from 1 on of its sections. */
  exam_tally: { exam_no: string; rev: string; part: number; score: number; n: number }

  /** What an operator has published, by its number: the demo leaves it alone. */
  operator_content: { no: string; at: number }

  /** 资讯: `searched` is what a search looks in (domain/app/news.ts); a withdrawn one is kept, and shown to nobody. */
  news: {
    no: string
    category_no: string
    kind: NewsKind
    title: string
    summary: string
    source: string
    published_at: number
    cover: JSONColumnType<Cover> | null
    html: string
    searched: string
    directions: string[]
    areas: string[]
    withdrawn: boolean
    views: Generated<number>
  }
  news_category: { no: string; name: string; position: number }
  /** A row for two days for each visitor who opened an article on a day (domain/time/day.ts); `counted`: it is in its views. */
  news_seen: { news_no: string; day: number; reader: string; counted: Generated<boolean> }
  /** 考试日历: days as YYYY-MM-DD, `to_day` the last one. */
  calendar_entry: {
    no: string
    title: string
    kind: CalendarKind
    from_day: string
    to_day: string
    source: string
    note: string
    directions: string[]
    areas: string[]
    withdrawn: boolean
  }

  /** Every op ever taken, with its verdict: a phone that slept for months is still answered rightly. */
  study_op: {
    uid: string
    op_id: string
    device: string
    seq: number
    stream: string
    kind: string
    v: number
    payload: JSONColumnType<object>
    payload_hash: string
    ctx: JSONColumnType<object>
    client_at: number
    /** When it was done by the device's own measure; null where it has none. */
    own_at: number | null
    effective_at: number
    verdict: 'applied' | 'rejected'
    code: string | null
    msg: string | null
    /** Marked by the server's key; null for ops that are not answers. */
    right: boolean | null
    question_no: string | null
    created_at: number
    /** Chance that this answer would be right, of a thousand, as it was foretold; null where nothing was. */
    foretold: number | null
  }
  /** Up to which seq a device's ops are all here: an audit figure that no answer depends on. */
  study_device: { uid: string; device: string; ack_seq: number; seen_at: number }
  /** What became of the ops: what a device gets of the student's record, one row a question, day, folder, setting, sitting, report. */
  study_record: {
    uid: string
    kind: Change['kind']
    /** The question's number, the day's, the name of a setting … */
    id: string
    rev: number
    /** The newest fact that is folded in. */
    last_at: number
    last_op: string
    /** A state is stored without its number and its place: a question may move. */
    body: JSONColumnType<object>
  }
}

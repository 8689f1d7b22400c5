// Apart from the schemas of study.ts, which worker and page do without.
/** At most this many ops, and this many bytes of ops JSON, in one call. */
export const SYNC_MAX_OPS = 100
export const SYNC_MAX_BYTES = 60_000
/** Changes in one answer; in one to a call without ops more, as nothing else is waiting for it. */
export const SYNC_PAGE = 350
export const SYNC_FETCH_PAGE = 1_000

/** All that the worker needs of the call; its schemas stay out of that file. */
export const SYNC_ADDRESS = { path: 'study/sync', method: 'POST' } as const
/** A device waits so long for the answer to one sync call. */
export const SYNC_TIMEOUT_MS = 20_000

/** Kinds of ops, and the version of each that this app writes. */
export const OP_VERSIONS = {
  answer: 2,
  retract: 1,
  book: 2,
  cause: 1,
  collect: 1,
  note: 1,
  folder: 1,
  setting: 1,
  handIn: 2,
  selfMark: 1,
  report: 1,
  examBegin: 1,
  examChoice: 1,
  examHandIn: 1,
  watch: 1,
  lessonNote: 1,
} as const
export type OpKind = keyof typeof OP_VERSIONS
/** Where a question was answered. */
export const SOURCES = ['library', 'error', 'collect', 'note', 'set', 'testing', 'exam', 'lesson'] as const
/** Why an answer was wrong, as the student says. */
export const CAUSES = ['unknown', 'misread', 'reasoning', 'time', 'guess'] as const
export const REPORT_REASONS = ['answer', 'stem', 'analysis', 'picture', 'other'] as const
/** Characters of a note, of an essay, and of what is filled into one blank. */
export const NOTE_MAX = 1_000
export const ESSAY_MAX = 20_000
export const BLANK_MAX = 500

import { homeOf } from '#src/api/libraries.ts'
import { isCallError } from '#src/api/errors.ts'
import type { Library } from '#src/contract/question.ts'
import { TYPE_NAMES } from '#src/contract/question.ts'
import type { ThingChange } from '#src/contract/study.ts'
import { CSV_BEGIN, csvLine } from '#src/domain/text/csv.ts'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { ERROR_RULE } from '#src/domain/study/errorBook.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { clockText } from '#src/domain/course/lengths.ts'
import { byLesson } from '#src/domain/course/lessonNotes.ts'
import { wordsOf } from '#src/domain/app/failureWords.ts'
import { offline } from '#src/offline/index.ts'
import { countStates, statePages } from '#src/offline/record/pages.ts'
import { keptQuestions } from '#src/offline/downloads/keptQuestions.ts'
import { session } from '#src/session/session.ts'
import { momentText, ONLINE_NAMES, type OnlineName, type TableName, TABLES } from './exportTables.ts'

/** A table of no questions. */
const LESSON_NOTES = 'lessonNotes'
const ONLINE = Object.keys(ONLINE_NAMES) as OnlineName[]
export type ExportKind = 'all' | TableName | typeof LESSON_NOTES | OnlineName

interface Section {
  key: string
  /** In pieces, each as long as a page of the record at most. */
  rows: () => AsyncIterable<readonly object[]>
}
const things = (key: string, kind: ThingChange['kind']): Section => ({
  key,
  rows: async function* () {
    yield [...(await offline.things(kind))].map(([id, body]) => ({ id, ...body }))
  },
})
/** The whole file of a student's data as this device has them, besides who it is of. */
const SECTIONS: readonly Section[] = [
  { key: 'questions', rows: () => statePages(offline.owner) },
  things('days', 'day'),
  things('folders', 'folder'),
  things('settings', 'setting'),
  things('attempts', 'attempt'),
  things('examAttempts', 'exam'),
  things('lessons', 'lesson'),
  {
    key: 'lessonNotes',
    rows: async function* () {
      yield byLesson(await offline.things('lessonNote')).flat()
    },
  },
  things('reports', 'report'),
  things('corrections', 'notice'),
  things('orderNews', 'order'),
]

export interface ExportWork {
  libraries: readonly Library[]
  signal: AbortSignal
  /** 0 … 1, and what is being asked for. */
  tell: (part: number, asked?: string) => void
}
/** What the server did not give. */
interface Missing {
  part: string
  why: string
}
export interface Exported {
  /** Null: all of it is missing. */
  file: File | null
  missing: readonly Missing[]
}

/**
 * The student's data as this device has them, with what waits to be sent, which needs no network; and what only the server has, as
 * far as it can be asked.
 */
export async function exportData(kind: ExportKind, work: ExportWork): Promise<Exported> {
  const missing: Missing[] = []
  const parts = await (kind === 'all'
    ? wholeFile(work, missing)
    : isOnline(kind)
      ? onlineFile(kind, work, missing)
      : kind === LESSON_NOTES
        ? lessonNotesFile()
        : tableFile(kind, work))
  const title = titleOf(kind)
  const [ending, type] = kind === 'all' ? ['json', 'application/json'] : ['csv', 'text/csv']
  const name = `${title}-${dateOf(dayOf(Date.now()))}.${ending}`
  return { file: parts && new File(parts, name, { type: `${type};charset=utf-8` }), missing }
}
const titleOf = (kind: ExportKind): string => {
  if (kind === 'all') return '我的数据'
  if (kind === LESSON_NOTES) return '课时笔记'
  return isOnline(kind) ? ONLINE_NAMES[kind] : TABLES[kind].title
}
const isOnline = (kind: ExportKind): kind is OnlineName => kind in ONLINE_NAMES

/** Null: it could not be had, which `missing` tells. */
async function ask(name: OnlineName, part: number, { signal, tell }: ExportWork, missing: Missing[]) {
  const title = ONLINE_NAMES[name]
  try {
    tell(part, title)
    const asking = { signal, tell: (rows: number) => tell(part, `${title} ${rows} 条`) }
    return await (await import('./exportOnline.ts')).ONLINE[name](asking)
  } catch (error) {
    signal.throwIfAborted()
    // Without a network its code is not there either.
    missing.push({
      part: title,
      why: isCallError(error) && error.name !== 'OfflineError' ? wordsOf(error) : '没有网络',
    })
    return null
  }
}

async function onlineFile(name: OnlineName, work: ExportWork, missing: Missing[]): Promise<string[] | null> {
  const found = await ask(name, 0, work, missing)
  return found && [CSV_BEGIN, csvLine(found.columns), ...found.lines.map(csvLine)]
}

/** Counts states as they go by, and ends where the student has thought better of it. */
async function counter({ signal, tell }: ExportWork): Promise<(more: number) => void> {
  const all = await countStates(offline.owner)
  let read = 0
  return (more) => {
    signal.throwIfAborted()
    read += more
    tell(all === 0 ? 1 : Math.min(1, read / all))
  }
}

async function wholeFile(work: ExportWork, missing: Missing[]): Promise<string[]> {
  const share = 1 / (ONLINE.length + 1)
  const count = await counter({ ...work, tell: (part) => work.tell(part * share) })
  const { nickname = '', mobile = '' } = session.get().userinfo ?? {}
  const head = { format: 'lijian-data/1', exportedAt: new Date().toISOString(), account: { nickname, mobile } }
  const parts = [JSON.stringify(head).slice(0, -1)]
  for (const { key, rows } of SECTIONS) {
    parts.push(`,\n${JSON.stringify(key)}:[`)
    let between = '\n'
    for await (const some of rows()) {
      count(key === 'questions' ? some.length : 0)
      for (const row of some) {
        parts.push(between, JSON.stringify(row))
        between = ',\n'
      }
    }
    parts.push(']')
  }
  for (const [i, name] of ONLINE.entries()) {
    const found = await ask(name, (i + 1) * share, work, missing)
    if (found) parts.push(`,\n${JSON.stringify(name)}:${JSON.stringify(found.entries)}`)
  }
  return [...parts, `,\n"missing":${JSON.stringify(missing)}}\n`]
}

async function lessonNotesFile(): Promise<string[]> {
  const notes = byLesson(await offline.things('lessonNote')).flat()
  const lines = notes.map(({ titles, second, text, at }) => [...titles, clockText(second), text, momentText(at)])
  return [CSV_BEGIN, csvLine(['课程', '课时', '时间点', '笔记', '时间']), ...lines.map(csvLine)]
}

/** Of the question, in every table. */
const HEAD = ['题库与章节', '题型', '题干']

async function tableFile(name: TableName, work: ExportWork): Promise<string[]> {
  const count = await counter(work)
  const { columns, rows } = TABLES[name]
  const rule = Number((await offline.things('setting')).get('errorRule')?.value ?? ERROR_RULE)
  const parts = [CSV_BEGIN, csvLine([...HEAD, ...columns])]
  for await (const states of statePages(offline.owner)) {
    const wanted = states.flatMap((state) => rows(state, rule).map((row) => ({ state, row })))
    const stems = await stemsOf(wanted.map(({ state }) => state.questionNo))
    for (const { state, row } of wanted) {
      const place = homeOf(work.libraries, state).text || `编号 ${state.chapterNo || state.libraryNo}`
      parts.push(csvLine([place, TYPE_NAMES[state.type], stems.get(state.questionNo) ?? '', ...row]))
    }
    count(states.length)
  }
  return parts
}

/** What these ask, of those that are on this device; of a sub-question with its material. */
async function stemsOf(nos: readonly string[]): Promise<Map<string, string>> {
  const kept = await keptQuestions(offline.owner, [...new Set(nos)])
  return new Map(
    [...kept].map(([no, { question }]) => {
      const part = partsOf(question).find((each) => each.no === no)
      const own = question.no === no ? '' : (part?.stem ?? '')
      return [no, plainText(`${question.stem} ${own}`)]
    }),
  )
}

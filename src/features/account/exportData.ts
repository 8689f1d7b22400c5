import { homeOf } from '#src/api/libraries.ts'
import type { Library } from '#src/contract/library.ts'
import { TYPE_NAMES } from '#src/contract/question.ts'
import type { ThingChange } from '#src/contract/study.ts'
import { CSV_BEGIN, csvLine } from '#src/domain/csv.ts'
import { dateOf, dayOf } from '#src/domain/day.ts'
import { ERROR_RULE } from '#src/domain/errorBook.ts'
import { partsOf } from '#src/domain/study.ts'
import { plainText } from '#src/domain/text.ts'
import { offline } from '#src/offline/index.ts'
import { countStates, statePages } from '#src/offline/pages.ts'
import { keptQuestions } from '#src/offline/questions.ts'
import { session } from '#src/session/session.ts'
import { TABLES, type TableName } from './exportTables.ts'

export type ExportKind = 'all' | TableName

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
/** The whole file of a student's data, besides who it is of. What only the server has is one more line, which asks it. */
const SECTIONS: readonly Section[] = [
  { key: 'questions', rows: () => statePages(offline.owner) },
  things('days', 'day'),
  things('folders', 'folder'),
  things('settings', 'setting'),
  things('attempts', 'attempt'),
  things('examAttempts', 'exam'),
  things('lessons', 'lesson'),
  things('reports', 'report'),
  things('corrections', 'notice'),
]

export interface ExportWork {
  libraries: readonly Library[]
  signal: AbortSignal
  /** 0 … 1 */
  tell: (part: number) => void
}

/** The student's data as this device has them, with what waits to be sent; needs no network. */
export async function exportData(kind: ExportKind, work: ExportWork): Promise<File> {
  const day = dateOf(dayOf(Date.now()))
  if (kind === 'all')
    return new File(await wholeFile(work), `我的数据-${day}.json`, { type: 'application/json;charset=utf-8' })
  const { title } = TABLES[kind]
  return new File(await tableFile(kind, work), `${title}-${day}.csv`, { type: 'text/csv;charset=utf-8' })
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

async function wholeFile(work: ExportWork): Promise<string[]> {
  const count = await counter(work)
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
  return [...parts, '}\n']
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
      const place = homeOf(work.libraries, state).text
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

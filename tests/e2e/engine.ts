import type { Page } from 'playwright-core'
import type { OpKind } from '#src/contract/sync.ts'

/** Something that a student does with the engine of a page: what no screen offers yet. `how` picks among its ways. */
export interface EngineAct {
  kind: OpKind
  questionNo: string
  chapterNo: string
  how: number
  /** Of one's own earlier answers; for `retract`, and what a sitting hands in. */
  target?: string | undefined
  /** For `handIn` and `selfMark`. */
  sitting?: { attemptId: string; paper: object } | undefined
  /** For the kinds of exams: which sitting of what, and what is handed in. */
  exam?: { attemptId: string; exam: string; rev: string; choices: string[] } | undefined
  /** Of a note. */
  text?: string
}
export const ENGINE_KINDS = [
  'answer',
  'retract',
  'book',
  'cause',
  'collect',
  'note',
  'folder',
  'setting',
  'report',
  'handIn',
  'selfMark',
  'examBegin',
  'examChoice',
  'examHandIn',
  'watch',
  'lessonNote',
] as const satisfies OpKind[]

interface Engine {
  add: (act: unknown) => Promise<string>
  states: (
    nos: readonly string[],
  ) => Promise<Map<string, { collected?: { opId: string }[]; notes?: { opId: string }[] }>>
  things: (kind: string) => Promise<Map<string, unknown>>
  allCounters: (detail: 'points' | 'groups') => Promise<Record<'chapterNo' | 'libraryNo' | 'sums', unknown>[]>
  counters: (chapterNos: string[]) => Promise<unknown>
  shelf: (name: string, range?: { limit: number }) => Promise<unknown[]>
}
declare global {
  interface Window {
    engineOfPage?: Engine
  }
}
/** The page's own engine is what its first file exports to the later ones. As text: the test's tools would rewrite `import`. */
const FIND = `(async () => {
  const files = [...document.querySelectorAll('script[src], link[rel=modulepreload]')].map((each) => each.src || each.href)
  const modules = await Promise.all(files.map((file) => import(file).then(Object.values, () => [])))
  window.engineOfPage = modules.flat().find((value) => value && typeof value === 'object' && 'recordAnswer' in value)
})()`

export const findEngine = (page: Page): Promise<unknown> => page.evaluate(FIND)

/** Does it in the page that students use, with that page's own engine. Resolves with the op's id when the engine says "saved". */
export async function act(page: Page, given: EngineAct): Promise<string> {
  await findEngine(page)
  return page.evaluate(
    async ({ kind, questionNo, chapterNo, how, target = '', sitting, exam, text = `第${how}条` }) => {
      const engine = window.engineOfPage
      if (!engine) throw new Error('the page exports no engine')
      const state = (await engine.states([questionNo])).get(questionNo)
      const over = (held: { opId: string }[] = []) => held.map(({ opId }) => opId)
      const response = { kind: 'choice', ids: [how % 3 ? 'B' : 'A'] }
      const { choices: _, ...ref } = exam ?? { choices: [] }
      const payloads: Record<string, object> = {
        answer: { questionNo, response, spentMs: 1000 + how, from: 'library', version: 1 },
        retract: { questionNo, target },
        book: { questionNo, in: how % 2 === 0 },
        cause: { questionNo, cause: how % 4 ? 'guess' : '' },
        collect: { questionNo, folder: how % 4 ? `f${how % 2}` : null, over: over(state?.collected) },
        note: { questionNo, text: how % 5 ? text : '', over: over(state?.notes) },
        folder: { no: `f${how % 2}`, name: `夹${how}` },
        setting: { name: 'dayGoal', value: 1 + how },
        report: { questionNo, version: 1, reason: 'stem', text: `第${how}处` },
        handIn: { ...sitting, answers: [target], mode: 'practice', tookMs: 9_000, spentMs: 8_000 },
        examBegin: { ...ref, mode: 'exam' },
        examChoice: { attemptId: exam?.attemptId, questionNo, response, spentMs: how, elapsedMs: how },
        examHandIn: {
          ...ref,
          mode: 'exam',
          choices: exam?.choices,
          hash: 'a'.repeat(64),
          elapsedMs: 9_000,
          spentMs: 8_000,
        },
        watch: {
          courseNo: 'K_math0',
          lessonNo: `K_math0_l${1 + (how % 2)}`,
          watched: [[how, how + 9]],
          position: how + 9,
        },
        lessonNote: {
          noteNo: `018f0000-0000-7000-8000-0000000000b${how % 3}`,
          courseNo: 'K_math0',
          lessonNo: `K_math0_l${1 + (how % 2)}`,
          ofKind: 'video',
          titles: ['数学', '课时'],
          second: how,
          text: how % 5 ? text : '',
        },
        selfMark: { attemptId: sitting?.attemptId, answers: [target] },
      }
      const isSitting = kind === 'handIn' || kind === 'selfMark'
      const isThing =
        isSitting || exam !== undefined || ['folder', 'setting', 'report', 'watch', 'lessonNote'].includes(kind)
      return engine.add({
        kind,
        payload: payloads[kind],
        ...(!isThing && { place: { chapterNo, libraryNo: 'E2E', type: 'single', points: ['E2E_p1'] } }),
        // What the server makes of it takes its place.
        ...(isSitting && { earned: { score: 0, full: 100, right: 0, total: 1, marks: [null] } }),
        ...(kind === 'answer' && { right: how % 3 !== 0 }),
        ...(kind === 'retract' && { undone: { at: Date.now(), right: false, spentMs: 0 } }),
      })
    },
    given,
  )
}

/** Everything of the student's record that this device shows, as one value. */
export async function shownBy(page: Page, questionNos: readonly string[]): Promise<unknown> {
  await findEngine(page)
  return page.evaluate(async (nos) => {
    const engine = window.engineOfPage
    if (!engine) throw new Error('the page exports no engine')
    const things = await Promise.all(
      ['day', 'folder', 'setting', 'report', 'attempt', 'exam', 'lesson'].map(async (kind) => [
        kind,
        [...(await engine.things(kind))],
      ]),
    )
    // The text of a row has its names in the order in which they came.
    const sums = await Promise.all(
      (['points', 'groups'] as const).map(async (detail) =>
        (await engine.allCounters(detail)).map((row) => [row.chapterNo, row.libraryNo, row.sums]),
      ),
    )
    return { states: [...(await engine.states(nos))], things, sums }
  }, questionNos)
}

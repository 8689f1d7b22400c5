import { describe, expect, test } from 'vitest'
import type { ThingChange } from '#src/contract/study.ts'
import { grown, thingOf, type ThingFact } from '#src/domain/record/things.ts'

const moment = (n: number) => ({ opId: `op${n}`, at: n })
const examDate = (n: number, value: string): ThingFact => ({
  ...moment(n),
  kind: 'setting',
  payload: { name: 'examDate', value },
})
const read = (n: number, value: number): ThingFact => ({
  ...moment(n),
  kind: 'setting',
  payload: { name: 'noticesSeen', value },
})
const watch = (n: number, watched: [number, number][], position: number): ThingFact => ({
  ...moment(n),
  kind: 'watch',
  payload: { courseNo: 'K', lessonNo: 'K1', watched, position },
})
const begin = (n: number): ThingFact => ({
  ...moment(n),
  kind: 'examBegin',
  payload: { attemptId: 'S', exam: 'X', rev: 'r1', mode: 'exam' },
})
const seal = (n: number, elapsedMs = 600): ThingFact => ({
  ...moment(n),
  kind: 'examHandIn',
  flags: [],
  payload: {
    attemptId: 'S',
    exam: 'X',
    rev: 'r1',
    mode: 'exam',
    choices: ['c1', 'c2'],
    hash: `hash${n}`,
    elapsedMs,
    spentMs: 500,
  },
})
/** All of them, one after the other, as they arrive. */
const after = (...facts: ThingFact[]): ThingChange | null => facts.reduce<ThingChange | null>(grown, null)
const bodyOf = (thing: ThingChange | null) => thing?.body

describe('what an op is about', () => {
  test.each([
    ['handIn', { attemptId: 'S', paper: 'P' }, { kind: 'attempt', id: 'S' }],
    ['selfMark', { attemptId: 'S' }, { kind: 'attempt', id: 'S' }],
    ['examBegin', { attemptId: 'S' }, { kind: 'exam', id: 'S' }],
    ['examHandIn', { attemptId: 'S' }, { kind: 'exam', id: 'S' }],
    ['watch', { courseNo: 'K', lessonNo: 'K1' }, { kind: 'lesson', id: 'K1' }],
    ['lessonNote', { noteNo: 'N', courseNo: 'K', lessonNo: 'K1' }, { kind: 'lessonNote', id: 'N' }],
    ['folder', { no: 'F', name: '易错' }, { kind: 'folder', id: 'F' }],
    ['setting', { name: 'examDate', value: '' }, { kind: 'setting', id: 'examDate' }],
    ['report', { questionNo: 'q1' }, { kind: 'report', id: 'op' }],
  ] as const)('a %s of %j is about %j', (kind, payload, thing) =>
    expect(thingOf({ kind, opId: 'op', payload })).toEqual(thing),
  )
})

describe('of a note on a lesson', () => {
  const note = (n: number, text: string): ThingFact => ({
    ...moment(n),
    kind: 'lessonNote',
    payload: {
      noteNo: 'N',
      courseNo: 'K',
      lessonNo: 'K1',
      ofKind: 'audio',
      titles: ['力学', '第1课'],
      second: 42,
      text,
    },
  })
  test('the newer word counts, in whichever order they arrive, and a deletion is a word', () => {
    for (const [older, newer] of [
      ['初稿', '定稿'],
      ['定稿', ''],
      ['', '定稿'],
    ] as const) {
      const { noteNo: _, ...said } = { ...note(2, newer).payload, noteNo: 'N' }
      const is = { kind: 'lessonNote', id: 'N', body: { ...moment(2), ...said } }
      expect(after(note(1, older), note(2, newer))).toEqual(is)
      expect(after(note(2, newer), note(1, older))).toEqual(is)
    }
  })
})

describe('of a folder and a setting', () => {
  test('the newer word counts, in whichever order they arrive', () => {
    const [older, newer] = [examDate(1, '2026-12-01'), examDate(2, '2026-12-20')]
    const is = { kind: 'setting', id: 'examDate', body: { ...moment(2), value: '2026-12-20' } }
    expect(after(older, newer)).toEqual(is)
    expect(after(newer, older)).toEqual(is)
    const folder = (n: number, name: string): ThingFact => ({
      ...moment(n),
      kind: 'folder',
      payload: { no: 'F', name },
    })
    for (const order of [[folder(1, '旧'), folder(2, '新')] as const, [folder(2, '新'), folder(1, '旧')] as const])
      expect(after(...order)).toEqual({ kind: 'folder', id: 'F', body: { ...moment(2), name: '新' } })
  })
  test('how far a student has read only grows, whichever device said it last', () => {
    expect(bodyOf(after(read(1, 50), read(2, 20)))).toEqual({ ...moment(1), value: 50 })
    expect(bodyOf(after(read(1, 20), read(2, 50)))).toEqual({ ...moment(2), value: 50 })
    expect(bodyOf(after(read(2, 50), read(1, 50)))).toEqual({ ...moment(2), value: 50 })
    expect(bodyOf(after(read(1, 50), read(2, 50)))).toEqual({ ...moment(2), value: 50 })
  })
})

test('a report stays as it was first made, with what the server has said of it', () => {
  const report = (n: number, text: string): ThingFact => ({
    ...moment(n),
    kind: 'report',
    payload: { questionNo: 'q1', version: 1, reason: 'answer', text },
  })
  const first = after(report(1, '选项 C 才对'))
  expect(first).toEqual({
    kind: 'report',
    id: 'op1',
    body: { questionNo: 'q1', reason: 'answer', text: '选项 C 才对', at: 1, status: 'received', reply: '' },
  })
  const answered = {
    kind: 'report',
    id: 'op1',
    body: { ...first?.body, status: 'fixed', reply: '已修正' },
  } as ThingChange
  expect(grown(answered, report(1, '选项 C 才对'))).toBe(answered)
})

test('what was watched only grows; where it stands is the newest word', () => {
  const [first, second] = [watch(1, [[0, 30]], 30), watch(2, [[20, 60]], 60)]
  const is = { courseNo: 'K', position: 60, watched: [[0, 60]], ...moment(2) }
  expect(after(first, second)).toEqual({ kind: 'lesson', id: 'K1', body: is })
  expect(bodyOf(after(second, first))).toEqual(is)
})

describe('a sitting of a paper', () => {
  const earned = { score: 300, full: 1000, right: 3, total: 5, marks: [100, 200, null] }
  const attempt = { attemptId: 'A', answers: [] }
  const handIn = (n: number, tookMs: number): ThingFact => ({
    ...moment(n),
    kind: 'handIn',
    earned,
    payload: { ...attempt, paper: { of: 'testing', no: 'T', rev: 'r1' }, mode: 'exam', tookMs, spentMs: 400 },
  })
  test('began as long before as it took, and counts as it was handed in first', () => {
    const first = after(handIn(1000, 600))
    expect(first).toMatchObject({
      kind: 'attempt',
      id: 'A',
      body: { startedAt: 400, handedAt: 1000, spentMs: 400, ...earned },
    })
    expect(after(handIn(1000, 600), handIn(2000, 100))).toEqual(first)
    expect(bodyOf(after(handIn(5, 600)))).toMatchObject({ startedAt: 0 })
  })
  test('has the marks of its essays once they are there; of a sitting that nobody knows they are nothing', () => {
    const later = { ...earned, score: 900 }
    const marked: ThingFact = { ...moment(2000), kind: 'selfMark', earned: later, payload: attempt }
    expect(after(marked)).toBeNull()
    expect(bodyOf(after(handIn(1000, 600), marked))).toMatchObject({ score: 900, full: 1000, handedAt: 1000 })
  })
})

describe('a sitting of an exam', () => {
  test('begins once, and is sealed once', () => {
    const begun = after(begin(100))
    expect(begun).toEqual({
      kind: 'exam',
      id: 'S',
      body: {
        exam: 'X',
        rev: 'r1',
        mode: 'exam',
        startedAt: 100,
        handedAt: null,
        handIn: '',
        hash: '',
        answered: 0,
        elapsedMs: 0,
        spentMs: 0,
        flags: [],
      },
    })
    expect(after(begin(100), begin(900))).toEqual(begun)
    const sealed = after(begin(100), seal(700))
    expect(bodyOf(sealed)).toMatchObject({
      startedAt: 100,
      handedAt: 700,
      handIn: 'op700',
      hash: 'hash700',
      answered: 2,
      elapsedMs: 600,
      spentMs: 500,
    })
    expect(after(begin(100), seal(700), seal(900))).toEqual(sealed)
    expect(after(begin(100), seal(700), begin(900))).toEqual(sealed)
    // Begun on one device, and handed in on another one whose clock says less.
    expect(bodyOf(after(begin(800), seal(700)))).toMatchObject({ startedAt: 800, handedAt: 800 })
  })
  test('whose begin is lost began as long before as it lasted', () => {
    expect(bodyOf(after(seal(700)))).toMatchObject({ startedAt: 100, handedAt: 700 })
    expect(bodyOf(after(seal(70)))).toMatchObject({ startedAt: 0 })
  })
  test('is not changed by one choice: the choices are its answers’ ops', () => {
    const response = { kind: 'choice' as const, ids: ['B'] }
    const payload = { attemptId: 'S', questionNo: 'q1', response, spentMs: 10, elapsedMs: 20 }
    const choice: ThingFact = { ...moment(300), kind: 'examChoice', payload }
    expect(after(begin(100), choice)).toEqual(after(begin(100)))
    expect(after(choice)).toBeNull()
  })
})

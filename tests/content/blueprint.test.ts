import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Question } from '#src/contract/question.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { type Blueprint, buildPapers } from '#server/content/publish/blueprint.ts'
import { contentOf } from '#server/content/bank/doubles/content.ts'
import { checkFile } from '#server/content/bank/import.ts'
import { demoSets } from '#server/demo/sets.ts'
import { composite, judge, single } from '#tests/support/questions.ts'

const placed = (...questions: Question[]) => questions.map((question) => ({ chapterNo: 'C_1_1', question }))
const many = Array.from({ length: 20 }, (_, i) => single(`S${i}`))
const blueprint = (change: Partial<Blueprint> = {}): Blueprint => ({
  no: 'P1',
  title: '仿真卷（一）',
  minutes: 60,
  partial: 'none',
  full: 15,
  sections: [{ title: '单选', type: 'single', count: 10, score: 1.5 }],
  ...change,
})
const nosOf = (items: ReturnType<typeof buildPapers>) =>
  items.map(({ sections }) => sections.flatMap(({ questions }) => questions.map(({ no }) => no)))

describe('a paper by blueprint', () => {
  test('is the same each time, and another paper is another', () => {
    const once = nosOf(buildPapers([blueprint()], placed(...many)))
    expect(nosOf(buildPapers([blueprint()], placed(...many.toReversed())))).toEqual(once)
    expect(nosOf(buildPapers([blueprint({ no: 'P2' })], placed(...many)))).not.toEqual(once)
  })
  test('shares no question with the papers beside it', () => {
    const [a = [], b = []] = nosOf(buildPapers([blueprint(), blueprint({ no: 'P2' })], placed(...many)))
    expect(new Set([...a, ...b]).size).toBe(20)
  })
  test('never holds two questions that read alike', () => {
    const twin = { ...single('T2'), stem: single('T1').stem }
    const two = blueprint({ full: 2, sections: [{ title: '单选', type: 'single', count: 2, score: 1 }] })
    expect(() => buildPapers([two], placed(single('T1'), twin))).toThrow('too few')
    expect(nosOf(buildPapers([two], placed(single('T1'), twin, single('T3'))))[0]).toContain('T3')
  })
  test('takes materials whole and counts their sub-questions', () => {
    const parts = (no: string, n: number) =>
      composite(
        no,
        Array.from({ length: n }, (_, i) => judge(`${no}_${i}`)),
      )
    const section = { title: '材料', type: 'composite', count: 5, score: 2 } as const
    const bank = placed(parts('M4', 4), parts('M3', 3), parts('M2', 2))
    const [nos = []] = nosOf(buildPapers([blueprint({ full: 10, sections: [section] })], bank))
    expect(nos.toSorted()).toEqual(['M2', 'M3'])
  })
  test('draws from the chapters it names', () => {
    const bank = [...placed(...many), { chapterNo: 'C_10', question: single('OTHER') }]
    const section = { title: '单选', type: 'single', count: 10, score: 1.5, chapters: ['C_1'] } as const
    for (let i = 0; i < 5; i++)
      expect(nosOf(buildPapers([blueprint({ no: `P${i}`, sections: [section] })], bank)).flat()).not.toContain('OTHER')
  })
  test('whose marks do not add up, or whose bank is too small, is refused', () => {
    expect(() => buildPapers([blueprint({ full: 16 })], placed(...many))).toThrow('P1: sections add up to 15, not 16')
    expect(() => buildPapers([blueprint()], placed(single('S1')))).toThrow('P1/0 单选: the bank has too few')
  })
})

describe('the demo’s papers', async () => {
  const folder = path.resolve(import.meta.dirname, '../../server/demo/content')
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const banks = await Promise.all(files.map((name) => checkFile(path.join(folder, name), null)))
  test.each(demoSets.map((set) => [set.title, set] as const))(
    '%s: full marks exact, no question twice, honest',
    (_, set) => {
      const bank = set.libraries.flatMap((no) => banks.find((each) => each.bank?.library.no === no)?.placed ?? [])
      const known = new Map(bank.map(({ question }) => [question.no, question]))
      const papers = buildPapers(set.papers, bank)
      const contents = papers.flatMap(({ sections }) =>
        sections.flatMap(({ questions }) => questions.map(({ no }) => contentOf(known.get(no) ?? single('none')))),
      )
      expect(new Set(contents).size).toBe(contents.length)
      for (const [i, { sections, full }] of papers.entries()) {
        const marks = sections.flatMap(({ questions }) =>
          questions.map(({ no, score }) => Number(score) * partsOf(known.get(no) ?? single('none')).length),
        )
        expect(marks.reduce((a, b) => a + b, 0)).toBe(full)
        expect(full).toBe(set.papers[i]?.full)
      }
      expect(set.intro).toContain('仿真样例')
      expect(set.intro).toContain('不是真题')
    },
  )
})

import { describe, expect, test } from 'vitest'
import { fold, markedIn, type Piece, snippet, termsOf } from '#src/domain/text/searchText.ts'

/** What is marked stands in ⟨⟩. */
const shown = (pieces: readonly Piece[]): string => pieces.map(({ text, hit }) => (hit ? `⟨${text}⟩` : text)).join('')

describe('text is compared', () => {
  test.each([
    ['ＡBc', 'abc'],
    ['动能， 定理。', '动能定理'],
    ['x² ≥ 1', 'x2>=1'],
    ['a×b÷c−d', 'a*b/c-d'],
    ['x⩽2, y⩾3, ½', 'x<=2y>=31/2'],
    ['a\u20D7·x\u0304', 'ax'],
    ['x^2', 'x2'],
    ['看\u200B得见', '看得见'],
    ['25.5%', '25.5%'],
  ])('%s as %s', (text, folded) => expect(fold(text)).toBe(folded))
})

describe('words that are looked for', () => {
  test('stand apart by spaces, each once', () => expect(termsOf('动能  定理\n动能 ，')).toEqual(['动能', '定理']))
  test('are fifty characters together', () => {
    expect(termsOf('一'.repeat(60))).toEqual(['一'.repeat(50)])
    expect(termsOf(`${'一'.repeat(30)} ${'二'.repeat(30)}`)).toEqual(['一'.repeat(30), '二'.repeat(20)])
    expect(termsOf(`${'一'.repeat(50)} 二`)).toEqual(['一'.repeat(50)])
    expect(termsOf('😀'.repeat(51))).toEqual(['😀'.repeat(50)])
  })
  test('are sought in the first five hundred characters alone', () =>
    expect(termsOf(`${'，'.repeat(499)}一 二`)).toEqual(['一']))
})

describe('words in a text', () => {
  test.each([
    ['先看动能定理', '动能', '先看⟨动能⟩定理'],
    ['动能，动能', '动能', '⟨动能⟩，⟨动能⟩'],
    ['动 能', '动能', '⟨动 能⟩'],
    ['x²≥1', '2>=', 'x⟨²≥⟩1'],
    ['好𠮷了', '𠮷', '好⟨𠮷⟩了'],
    ['没有', '动能', '没有'],
  ])('%s for %s', (text, word, marked) => expect(shown(snippet(text, termsOf(word)))).toBe(marked))
  test('stand with what is around them, and … says that there is more', () => {
    const text = `${'前'.repeat(40)}动能${'后'.repeat(100)}`
    expect(shown(snippet(text, ['动能']))).toBe(`…${'前'.repeat(18)}⟨动能⟩${'后'.repeat(70)}…`)
    expect(shown(snippet(`${'前'.repeat(36)}动能`, ['动能']))).toBe(`${'前'.repeat(36)}⟨动能⟩`)
  })
  test('are marked across the end of a line, too', () =>
    expect(markedIn(['先看动', '能定理'], ['动能']).map(shown)).toEqual(['先看⟨动⟩', '⟨能⟩定理']))
})

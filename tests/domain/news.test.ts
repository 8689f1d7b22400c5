import { describe, expect, test } from 'vitest'
import type { NewsHead } from '#src/contract/news.ts'
import { besides, byNewest, searchedText, wordsOf } from '#src/domain/app/news.ts'

const head = (id: string, publishedAt: number): NewsHead => ({
  id,
  publishedAt,
  title: id,
  summary: '',
  category: 'c',
  kind: 'article',
  source: '',
  cover: null,
  views: 0,
})

test.each([
  ['', []],
  [' \u3000 ', []],
  ['数学 复习', ['数学', '复习']],
  ['ＡＢＣ abc', ['abc']],
  ['100% a_b \\', ['100%', 'a_b', '\\']],
  ['一 二 三 四 五 六', ['一', '二', '三', '四', '五']],
  [' 一 一 一 一 一 二', ['一', '二']],
])('what is searched for in %j', (q, words) => expect(wordsOf(q)).toEqual(words))

test('an article is searched in what is read of it, without regard to width, case and spaces', () => {
  const text = searchedText({
    title: 'ＦＳＲＳ 算法',
    summary: 'Spaced',
    html: '<p class="hidden">间隔 <b>复习</b>&amp;测验</p>',
  })
  for (const word of wordsOf('fsrs算法 spaced 间隔复习&测验')) expect(text).toContain(word)
  for (const not of ['hidden', '算法spaced', '<b>']) expect(text).not.toContain(not)
})

describe('the newest first', () => {
  const list = [head('a', 1), head('c', 2), head('b', 2), head('d', 3)].sort(byNewest)
  test('and of one moment by number, as the server has it', () => {
    expect(list.map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a'])
  })
  test.each([
    ['the newest', 'd', null, 'c'],
    ['one between', 'b', 'c', 'a'],
    ['the oldest', 'a', 'b', null],
    ['one that is not there', 'x', null, null],
  ])('%s has its neighbours', (_, id, newer, older) => {
    const found = besides(list, id)
    expect([found.newer?.id ?? null, found.older?.id ?? null]).toEqual([newer, older])
  })
})

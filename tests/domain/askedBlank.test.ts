import { expect, test } from 'vitest'
import { askedBlank, markBlank } from '#src/domain/question/askedBlank.ts'

test.each([
  ['<p>第（7）空应填</p>', '7'],
  ['<p>12.</p>', '12'],
  ['（3）', '3'],
  ['<p>第2段的大意是</p>', ''],
  ['<p>1945 年 8 月</p>', ''],
])('%s asks for blank %s', (stem, no) => expect(askedBlank(stem)).toBe(no))

test('the blank that is asked for is marked, and no other one', () => {
  expect(markBlank('forty ____(1)____, ____(11)____', '1')).toBe('forty <mark>____(1)____</mark>, ____(11)____')
  expect(markBlank('a <u>&nbsp;2 </u> b', '2')).toBe('a <mark><u>&nbsp;2 </u></mark> b')
  expect(markBlank('1 of 3', '3')).toBe('1 of 3')
  expect(markBlank('____(1)____', '')).toBe('____(1)____')
})

import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { CSV_BEGIN, csvLine } from '#src/domain/text/csv.ts'

test.each<[string, string | number, string]>([
  ['a plain text', '牛顿第一定律', '牛顿第一定律'],
  ['nothing', '', ''],
  ['a number is a number, below 0 too', -3.5, '-3.5'],
  ['a sum below nothing', '-19.90', '-19.90'],
  ['no sum', '-19.90+1', "'-19.90+1"],
  ['a comma', 'A,C', '"A,C"'],
  ['quotes', '他说"是"', '"他说""是"""'],
  ['lines', '一\n二', '"一\n二"'],
  ['a carriage return', '一\r二', '"一\r二"'],
  ['a formula', '=1+1', "'=1+1"],
  ['a formula that calls out, with quotes', '=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ['a sign', '+86', "'+86"],
  ['a minus', '-2x', "'-2x"],
  ['a function of old', '@SUM(A1)', "'@SUM(A1)"],
  ['a full-width one', '＝1+1', "'＝1+1"],
  ['one behind spaces', ' \t=1', "' \t=1"],
  ['a sign within', 'a=b', 'a=b'],
])('%s', (_, cell, line) => expect(csvLine([cell])).toBe(`${line}\r\n`))

test('a file of such lines is read back cell by cell', () => {
  const lines = [
    ['题干', '次数'],
    ['若 a,b 满足 "a>b"\n则', 3],
  ]
  const file = CSV_BEGIN + lines.map(csvLine).join('')
  expect(parse(file, { bom: true })).toEqual(lines.map((line) => line.map(String)))
})

import { expect, test } from 'vitest'
import { findingLines } from '#server/bin/importReport.ts'
import { Checked } from '#server/content/bank/checked.ts'

test('whoever checks a PDF is told to look its questions through, and nobody else is', () => {
  const told = (file: string) => [...findingLines(new Checked(file), '[1/1]')].slice(1)
  expect(told('卷一.PDF')).toEqual([expect.stringContaining('先用 check --html 逐题看过，再导入')])
  expect(told('卷一.docx')).toEqual([])
})

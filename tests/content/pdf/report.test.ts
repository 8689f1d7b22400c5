import { expect, test } from 'vitest'
import type { Checked } from '#server/content/bank/checked.ts'
import { findingLines } from '#server/bin/importReport.ts'

const checked = (file: string): Checked =>
  ({
    file,
    total: 2,
    importable: 2,
    faults: 0,
    warnings: 0,
    eachFinding: () => [],
    spool: { commonWarnings: () => [] },
  }) as unknown as Checked

test('whoever checks a PDF is told to look its questions through, and nobody else is', () => {
  const told = (file: string) => [...findingLines(checked(file), '[1/1]')].slice(1)
  expect(told('卷一.PDF')).toEqual([expect.stringContaining('先用 check --html 逐题看过，再导入')])
  expect(told('卷一.docx')).toEqual([])
})

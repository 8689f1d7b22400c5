import { expect, test } from 'vitest'
import { plainText } from '#src/domain/text/plainText.ts'
import { faultsOf, formulaeIn } from '#tests/support/formulae.ts'

test('no formula of the foreign banks loses anything when it is written as a line', { timeout: 600_000 }, () => {
  const formulae = formulaeIn('../shared/data')
  expect(formulae.size).toBeGreaterThan(20_000)
  const wrong = [...formulae].flatMap((each) => {
    const faults = faultsOf(each)
    return faults.length > 0 ? [{ line: plainText(each), faults }] : []
  })
  expect(wrong).toEqual([])
})

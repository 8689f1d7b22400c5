import { expect, test } from 'vitest'
import { plainText } from '#src/domain/text/plainText.ts'
import { faultsOf, formulaeIn } from '#tests/support/formulae.ts'

test('no formula of the demo loses anything when it is written as a line', () => {
  const formulae = formulaeIn('server/demo/content')
  expect(formulae.size).toBeGreaterThan(1_000)
  const wrong = [...formulae].flatMap((each) => {
    const faults = faultsOf(each)
    return faults.length > 0 ? [{ line: plainText(each), faults }] : []
  })
  expect(wrong).toEqual([])
})

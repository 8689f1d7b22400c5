import { describe, expect, test } from 'vitest'
import { agrees, type Asked, askedIn, banks, readingsOf } from '#tools/secondReading.ts'
import { recomputed } from './recomputed/all.ts'

const unreadIn = (bank: string): string[] => {
  const readings = readingsOf(bank)
  return askedIn(bank).flatMap(({ no, asked }) => (readings[no]?.asked === asked ? [] : [no]))
}
test('every question was read as it is asked now', () => {
  expect(banks().flatMap(unreadIn)).toEqual([])
})

/** Both check the keys of the demo's questions, independently of who wrote them (docs/content-check.md). */
describe.each(banks())('keys of %s', (bank) => {
  const asked = askedIn(bank)
  const readings = readingsOf(bank)
  test('were all found again by a second reader, or the difference is settled', () => {
    const differing = asked.filter((each) => {
      const reading = readings[each.no]
      return !reading?.settled && !agrees(each, reading?.answer ?? '')
    })
    expect(differing.map(({ no, answer, blanks }) => [no, answer || blanks, readings[no]?.answer])).toEqual([])
    expect(Object.keys(readings).filter((no) => !asked.some((each) => each.no === no))).toEqual([])
  })
})

test.each(banks().flatMap((bank) => askedIn(bank).filter(({ no }) => no in recomputed)))(
  '$no comes out again when it is computed',
  (each) => {
    const result = [recomputed[each.no]?.() ?? ''].flat()
    expect(keyed(each)).toContainEqual(result.map(squeezed))
  },
)

test('what is recomputed is asked', () => {
  const all = new Set(banks().flatMap((bank) => askedIn(bank).map(({ no }) => no)))
  expect(Object.keys(recomputed).filter((no) => !all.has(no))).toEqual([])
})

const squeezed = (text: string): string => text.normalize('NFKC').replace(/\s/g, '')
/** The texts of the right options; of blanks each way to fill them. */
function keyed({ type, options, answer, blanks }: Asked): string[][] {
  if (type === 'judge') return [[String(answer)]]
  if (type === 'blank')
    return blanks.reduce<string[][]>(
      (ways, each) => ways.flatMap((way) => each.map((text) => [...way, squeezed(text)])),
      [[]],
    )
  const letters = [answer].flat().join('').split('')
  return [letters.map((letter) => squeezed(options['ABCDEFGHIJ'.indexOf(letter)] ?? ''))]
}

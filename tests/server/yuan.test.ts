import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromBeijing, toBeijing } from '#server/outside/beijing.ts'
import { fromYuan, toYuan } from '#server/outside/yuan.ts'

describe('yuan', () => {
  test.each([
    [1, '0.01'],
    [10, '0.10'],
    [99, '0.99'],
    [100, '1.00'],
    [110, '1.10'],
    [1999, '19.99'],
    [123_456_789, '1234567.89'],
    [10_000_000_000, '100000000.00'],
  ])('%i fen are %s', (fen, yuan) => {
    expect(toYuan(fen)).toBe(yuan)
    expect(fromYuan(yuan)).toBe(fen)
  })

  test('there and back, whatever the amount', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 10_000_000_000 }), (fen) => fromYuan(toYuan(fen)) === fen))
  })

  test('nothing may have been paid', () => expect(fromYuan('0.00')).toBe(0))

  test.each([
    '',
    '1',
    '1.0',
    '1.000',
    '.10',
    '01.00',
    '-1.00',
    '+1.00',
    '1,000.00',
    '1e2',
    ' 1.00',
    '1.00 ',
    '１.00',
    '1.00\n',
  ])('%j is none', (text) => expect(fromYuan(text)).toBeNull())

  test.each([0, -1, 0.5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 10_000_000_001])(
    '%d cannot be asked for',
    (fen) => {
      expect(() => toYuan(fen)).toThrow(RangeError)
    },
  )
})

describe('the time of Beijing', () => {
  test.each([
    ['2026-11-22T10:30:05.000Z', '2026-11-22 18:30:05'],
    ['2026-12-31T16:00:00.000Z', '2027-01-01 00:00:00'],
  ])('%s is %s', (iso, text) => {
    expect(toBeijing(Date.parse(iso))).toBe(text)
    expect(fromBeijing(text)).toBe(Date.parse(iso))
  })

  test('what is left of a second is dropped: a payment never ends later than it should', () =>
    expect(toBeijing(Date.parse('2026-11-22T10:30:05.999Z'))).toBe('2026-11-22 18:30:05'))

  test.each([
    '',
    '2026-11-22',
    '2026-02-30 10:00:00',
    '2026-11-22 24:00:00',
    '2026-11-22T10:00:00',
    '2026-11-22 10:00:00.1',
  ])('%j is none', (text) => expect(fromBeijing(text)).toBeNull())
})

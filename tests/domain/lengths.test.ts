import { expect, test } from 'vitest'
import { clockText, lengthText } from '#src/domain/course/lengths.ts'

test.each([
  ['a moment is a minute', [10], '1 分钟'],
  ['half a minute more is one more', [90], '2 分钟'],
  ['less is not', [89], '1 分钟'],
  ['an hour has no minutes beside it', [3_600], '1 小时'],
  ['more than an hour has', [3_660], '1 小时 1 分钟'],
  ['minutes that become an hour by rounding', [3_580], '1 小时'],
  ['several are the sum of what each says', [90, 90], '4 分钟'],
  ['also of moments', [10, 10, 10], '3 分钟'],
  ['none at all', [], '0 分钟'],
])('%s', (_, seconds, text) => expect(lengthText(seconds)).toBe(text))

test.each([
  [0, '0:00'],
  [65.9, '1:05'],
  [3_723, '1:02:03'],
])('%d s are %s', (seconds, text) => expect(clockText(seconds)).toBe(text))

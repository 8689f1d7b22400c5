import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CODE_RANDOM, CODE_SIGNS, codeOf, codeText, readCode } from '#src/domain/money/couponCode.ts'

const Code = fc
  .array(fc.nat(CODE_SIGNS.length - 1), { minLength: CODE_RANDOM, maxLength: CODE_RANDOM })
  .map((drawn) => codeOf(drawn))

describe('a drawn code', () => {
  test('is read as it is printed, typed or pasted', () => {
    fc.assert(
      fc.property(Code, (code) => {
        expect(readCode(codeText(code))).toBe(code)
        expect(readCode(` ${codeText(code).toLowerCase().replaceAll('-', ' ')}\n`)).toBe(code)
        expect(readCode(codeText(code).replaceAll('-', '－'))).toBe(code)
      }),
    )
  })
  test('with one wrong sign is known as mistyped', () => {
    fc.assert(
      fc.property(Code, fc.nat(CODE_RANDOM), fc.constantFrom(...CODE_SIGNS.split('')), (code, at, sign) => {
        fc.pre(code[at] !== sign)
        expect(readCode(code.slice(0, at) + sign + code.slice(at + 1))).toBeNull()
      }),
    )
  })
  test('with two neighbours changed round is known as mistyped', () => {
    fc.assert(
      fc.property(Code, fc.nat(CODE_RANDOM - 1), (code, at) => {
        fc.pre(code[at] !== code[at + 1])
        const turned = code.slice(0, at) + code.charAt(at + 1) + code.charAt(at) + code.slice(at + 2)
        expect(readCode(turned)).toBeNull()
      }),
    )
  })
  test('is printed 4 by 4', () => {
    expect(codeText(codeOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]))).toMatch(/^2345-6789-ABCD-EFG.$/)
  })
})

test.each([
  ['junkao-2026', 'JUNKAO2026'],
  ['ＪＵＮＫＡＯ', 'JUNKAO'],
  ['JUNKA', null],
  ['JUNKAO2026ABC', null],
  ['2222-2222-2222-222O', null],
  ['', null],
  ['----', null],
])('%j is read as %j', (typed, code) => {
  expect(readCode(typed)).toBe(code)
})

test('an operator’s own word is printed as it is, and a code of another length is none', () => {
  expect(codeText('JUNKAO2026')).toBe('JUNKAO2026')
  const code = codeOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
  expect(readCode(`${code}2`)).toBeNull()
  expect(readCode(code.slice(0, -1))).toBeNull()
})

test('signs that no code has do not cancel each other out', () => {
  // 0 and O are no signs of a code, so that nobody has to tell them apart.
  for (const wrong of ['0', 'O', '1', 'I', 'L']) expect(readCode(wrong.repeat(16))).toBeNull()
})

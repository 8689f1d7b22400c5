import { expect, test } from 'vitest'
import { commonText, easyToGuess, readCommon } from '#src/domain/app/passwords.ts'

const byFrequency = [
  '123456',
  'password',
  '12345678',
  'Sunshine'.toLowerCase(),
  ...Array.from({ length: 9_996 }, (_, i) => `word ${i} of many`),
  'too rare to count',
]
const common = readCommon(commonText(byFrequency, 8))
const COMMON = '这个密码太常见，容易被人猜中，请换一个'
const OWN_MOBILE = '密码里不要有自己的手机号，容易被人猜中，请换一个'

test.each([
  ['12345678', COMMON],
  ['PassWord', COMMON],
  [' sunshine ', COMMON],
  ['woaini1314', COMMON],
  ['１２３４５６７８', COMMON],
  ['11112222', COMMON],
  ['13900001234', OWN_MOBILE],
  ['a13900001234', OWN_MOBILE],
  ['word 9995 of many', COMMON],
  ['too rare to count', null],
  ['13900004321', null],
  ['三更灯火五更鸡', null],
])('%s: %s', (password, told) => {
  expect(easyToGuess(password, common, '13900001234')).toBe(told)
})

test('what is too short to be chosen does not weigh down the list', () => {
  expect(common.has('123456')).toBe(false)
  expect(common.size).toBeGreaterThan(9_999)
})

import { expect, test } from 'vitest'
import { hashPassword, isPassword } from '#server/login/argon2.ts'

test('a crowd that logs in at once waits its turn, and whoever comes when too many wait is told so', async () => {
  const stored = await hashPassword('bingying2026')
  const crowd = await Promise.allSettled(
    Array.from({ length: 150 }, (_, i) => isPassword(stored, i % 2 ? 'bingying2026' : 'bingying2027')),
  )
  const answers = crowd.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  expect(answers).toHaveLength(102)
  expect(answers).toEqual(answers.map((_, i) => i % 2 === 1))
  const refusals = crowd.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
  expect(new Set(refusals)).toEqual(new Set(['Refusal: 现在登录的人太多，请过几秒再试']))
  expect(await isPassword(stored, 'bingying2026')).toBe(true)
})

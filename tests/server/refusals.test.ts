import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** These speak to operators, who are no students. */
const OPERATORS = /^server\/(bin|content)\/|\/(operator|troubles|refunds)\.ts$/

/** What stands between the brackets of each refusal, with the texts of the constants that are named there. */
function refusalsIn(source: string, constants = constantsIn(source)): string[] {
  return source
    .split('new Refusal(')
    .slice(1)
    .map((rest) => argumentOf(rest).replaceAll(/\b[A-Z_]{3,}\b/g, (name) => constants.get(name) ?? name))
}
const constantsIn = (source: string): Map<string, string> =>
  new Map([...source.matchAll(/const ([A-Z_]+) = *\n? *'([^']+)'/g)].map(([, name = '', text = '']) => [name, text]))
function argumentOf(rest: string): string {
  let depth = 1
  for (let i = 0; i < rest.length; i++) {
    depth += rest[i] === '(' ? 1 : rest[i] === ')' ? -1 : 0
    if (depth === 0) return rest.slice(0, i)
  }
  return rest
}
/** What is made elsewhere is looked at by the tests of where it is made. That a refund is done already is for the operator. */
const ELSEWHERE =
  /^(?:refusal|easy|why|quote\.problem|CODE_MISTYPED|REFUSALS\[unsent\]|toBuy\(.*|`账号还不能注销：.*|'该订单的退款已经办理')$/
const WHAT_TO_DO = /(?<!申)请|可以|再|先|重新|后公布|后报名/
const isWell = (text: string): boolean =>
  ELSEWHERE.test(text) || (/\p{Script=Han}/u.test(text) && WHAT_TO_DO.test(text))

test('the server says no in Chinese, and says what to do', () => {
  const files = globSync('server/**/*.ts', { cwd: ROOT }).filter((file) => !OPERATORS.test(file))
  const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')
  const exported = constantsIn(
    files
      .map(read)
      .filter((source) => source.includes('export const CODE_REFUSED'))
      .join('\n'),
  )
  const texts = files.flatMap((file) => {
    const source = read(file)
    return refusalsIn(source, new Map([...exported, ...constantsIn(source)]))
  })
  expect(texts.length).toBeGreaterThan(60)
  expect(texts.filter((text) => !isWell(text))).toEqual([])
})

test.each([
  "throw new Refusal('order not found')",
  "throw new Refusal('订单不存在')",
  "const GONE = 'gone'\nthrow new Refusal(GONE)",
])('a planted %s is found', (planted) => expect(refusalsIn(planted).filter(isWell)).toEqual([]))

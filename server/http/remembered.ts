import * as v from 'valibot'
import type { Endpoint, Output } from '#src/contract/endpoint.ts'
import type { Scope } from '#src/contract/scalar.ts'
import { Ready } from './handlers.ts'

const LASTS_MS = 60_000
/** There are some hundred directions and areas; a scope is whatever a caller says. */
const MOST = 500

/**
 * Answers of a call that are the same for everybody of a scope, remembered for up to a minute: a morning's crowd asks the database
 * once. Those who ask while an answer is being read wait for it, too. A failure is not remembered.
 */
export function remembered<E extends Endpoint>(
  endpoint: E,
  read: (scope: Scope, now: number) => Promise<Output<E>>,
): (scope: Scope, now: number) => Promise<Ready> {
  const answers = new Map<string, { at: number; answer: Promise<Ready> }>()
  return (scope, now) => {
    const key = `${scope.sg_key}/${scope.area}`
    const known = answers.get(key)
    if (known && now >= known.at && now - known.at < LASTS_MS) return known.answer
    const answer = read(scope, now).then((output) => new Ready(JSON.stringify(v.parse(endpoint.output, output))))
    const entry = { at: now, answer }
    // Anew at the end: the one that was read longest ago stands first.
    answers.delete(key)
    answers.set(key, entry)
    const [oldest] = answers.keys()
    if (answers.size > MOST && oldest !== undefined) answers.delete(oldest)
    answer.catch(() => answers.get(key) === entry && answers.delete(key))
    return answer
  }
}

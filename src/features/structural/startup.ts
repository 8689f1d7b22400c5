import type { QueryClient } from '@tanstack/react-query'
import { session } from '#src/session/session.ts'
import { directionsQuery } from './queries.ts'

/** No direction is offered at all: the operator has configured none. The message is for the student. */
export class NoExamError extends Error {
  override readonly name = 'NoExamError'
  constructor() {
    super('还没有可以报考的方向，请联系管理员配置后重试。')
  }
}

/**
 * spec.md §4: without a chosen direction, the first one of the first category is the default. Offline the last known list
 * serves; only a true first run without a network fails.
 */
export async function ensureExam(client: QueryClient): Promise<void> {
  if (session.get().exam) return
  const categories = await client.ensureQueryData(directionsQuery(session.get().area.key))
  const first = categories[0]?.child[0]
  if (!first) throw new NoExamError()
  session.setExam(first)
}

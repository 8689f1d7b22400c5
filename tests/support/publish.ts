import { faultless } from '#server/content/draft.ts'
import { publishSources, type Source } from '#server/content/publish.ts'
import type { TestServer } from './server.ts'

/** Publishes a file the way an operator does. @throws FileFault when it has faults. */
export async function publishJson(
  { db, mediaDir, clock: { now } }: Pick<TestServer, 'db' | 'mediaDir' | 'clock'>,
  kind: Source['kind'],
  json: unknown,
  file: string,
): Promise<object | string> {
  const [done] = await publishSources(db, [{ file, kind, json }], { mediaDir, now, by: 'operator' })
  if (!done) throw new Error('nothing was published')
  return faultless(done, done.written).written
}

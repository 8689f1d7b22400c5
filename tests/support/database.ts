import os from 'node:os'
import path from 'node:path'
import { startEmbedded } from '#server/db/embedded.ts'

export const testDataDir = process.env.TEST_DATA_DIR ?? path.join(os.tmpdir(), `lijian-test-${process.getuid?.() ?? 0}`)

/** One embedded PostgreSQL for the whole run; every test file makes a database of its own in it. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await startEmbedded(testDataDir)
  return server.stop
}

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { endShared, prepareData, quietPort } from './product.ts'

/** Global set-up of the tests with a browser: what each product begins with is made once a run. */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-prepared-'))
  // The database belongs to another account when root runs this.
  chmodSync(folder, 0o755)
  mkdirSync(path.join(folder, 'data'))
  await prepareData(path.join(folder, 'data'))
  provide('preparedFolder', folder)
  provide('ports', await Promise.all(Array.from({ length: 8 }, quietPort)))
  return () => {
    endShared(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

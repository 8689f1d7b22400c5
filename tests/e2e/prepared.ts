import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { prepareFolder } from './product.ts'

/** Global set-up of the tests with a browser: the folder that each product begins with is made once a run. */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  const folder = await prepareFolder()
  provide('preparedFolder', folder)
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

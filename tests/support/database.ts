import { randomUUID } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { structure } from '#server/demo/structure.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { openDatabase } from '#server/db/open.ts'
import { writeStructure } from '#server/structural/store.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The database that each test's own is a copy of: all migrations, regions and directions. */
    template: string
  }
}

/** The cluster of the run. */
export const testDataDir = process.env.TEST_DATA_DIR ?? path.join(os.tmpdir(), 'lijian-test')

/**
 * Global set-up: one embedded PostgreSQL for the whole run. Every test file makes a database of its own in it, as a copy of the
 * template, because a copy takes a tenth of the time that the migrations take.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { socketFolder, stop } = await startEmbedded(testDataDir)
  // What a test writes need not outlive the machine.
  await administer(socketFolder, 'alter system set fsync = off')
  await administer(socketFolder, 'alter system set full_page_writes = off')
  await administer(socketFolder, 'select pg_reload_conf()')
  const template = `template_${randomUUID().replaceAll('-', '')}`
  await administer(socketFolder, `create database ${template}`)
  const db = await openDatabase({ socketFolder, database: template }, () => {}, 1)
  await writeStructure(db, structure)
  await db.destroy()
  provide('template', template)
  return async () => {
    await administer(socketFolder, `drop database ${template}`)
    await stop()
  }
}

/** Tells the embedded server itself to make a database, drop one, or change a setting. */
export async function administer(socketFolder: string, statement: string): Promise<void> {
  const client = new pg.Client({ host: socketFolder, user: 'postgres', database: 'postgres' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

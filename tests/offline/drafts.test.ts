import 'fake-indexeddb/auto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { DRAFT_KINDS } from '#src/offline/drafts/index.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { forgetOwner } from '#src/offline/record/forget.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { DRAFT_FIXTURES } from '#tests/support/draftFixtures.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../src/offline/drafts')
const kindOf = (key: string) => DRAFT_KINDS.find(({ prefix }) => prefix === key.split(':')[0])
beforeEach(() => (indexedDB = new IDBFactory()))

describe('the kinds of drafts', () => {
  test('have a prefix each, which with its colon begins no other’s keys', () => {
    const prefixes = DRAFT_KINDS.map(({ prefix }) => prefix)
    for (const prefix of prefixes) {
      expect(prefix).toMatch(/^[a-zA-Z]+$/)
      expect(prefixes.filter((each) => `${prefix}:x`.startsWith(`${each}:`))).toEqual([prefix])
    }
  })

  test('are all in the list: each that a file declares', () => {
    const declared = readdirSync(FOLDER).flatMap((file) => [
      ...readFileSync(path.join(FOLDER, file), 'utf8').matchAll(/= declareDraft\(/g),
    ])
    expect(DRAFT_KINDS).toHaveLength(declared.length)
  })

  test.each(DRAFT_KINDS.map(({ prefix }) => prefix))(
    '%s is kept as earlier releases wrote it, and read so',
    (prefix) => {
      const fixtures = DRAFT_FIXTURES.filter(([key]) => kindOf(key)?.prefix === prefix)
      expect(fixtures).not.toEqual([])
      for (const [key, value] of fixtures) expect([key, kindOf(key)?.read(value)]).toMatchObject([key, value])
    },
  )

  test.each(DRAFT_KINDS.map((kind) => [kind.prefix, kind] as const))(
    '%s reads nothing out of what is none',
    (_, kind) => {
      for (const value of [null, undefined, 7, '', 'x', [1], { v: 2 }]) expect(kind.read(value)).toBeNull()
    },
  )
})

test('a closed account leaves no draft of any kind, and touches nobody else’s', async () => {
  const record = createRecord(openRecord())
  for (const owner of ['u:me', 'u:other'])
    for (const [key, value] of DRAFT_FIXTURES) await record.saveDraft(owner, { key, value })
  await forgetOwner('u:me')
  for (const [key, value] of DRAFT_FIXTURES) {
    expect([key, await record.loadDraft('u:me', key)]).toEqual([key, undefined])
    expect([key, await record.loadDraft('u:other', key)]).toEqual([key, value])
  }
})

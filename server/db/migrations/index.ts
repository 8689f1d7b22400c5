import type { Migration } from 'kysely/migration'
import { foundation } from './0001-foundation.ts'
import { questionText } from './0002-question-text.ts'
import { packs } from './0003-packs.ts'

/** In order of their names; a released migration never changes. */
export const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-question-text': questionText,
  '0003-packs': packs,
}

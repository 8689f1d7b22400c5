import { readDrafts } from '#src/offline/drafts/kind.ts'
import { lastSitting, type Sitting } from '#src/offline/drafts/sitting.ts'
import { offline } from '#src/offline/index.ts'

export type { Sitting }

/** Every sitting that was begun last of its paper and mode. */
export const readPointers = async (): Promise<Sitting[]> =>
  (await readDrafts(offline, lastSitting)).map(({ value }) => value)

import type { DraftKey, DraftPrefix } from '#src/offline/drafts/kind.ts'

/** A key as it stands on disk, whose format never changes: tests say what lies there, not how the app calls it. */
export const onDisk = <V>(key: string): DraftKey<V> => key as DraftKey<V>
/** Returns the beginning of one kind's keys on disk, without the colon behind it. */
export const beginning = (prefix: string): DraftPrefix => prefix as DraftPrefix

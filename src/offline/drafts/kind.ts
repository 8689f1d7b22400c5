import * as v from 'valibot'

declare const stored: unique symbol
/** Names one value of type V in the record. Only a declared kind makes keys, so a key that nobody declared does not compile. */
export type DraftKey<V> = string & { readonly [stored]: (value: V) => V }
/** A declared key, whatever is stored under it. */
export type AnyDraftKey = string & { readonly [stored]: (value: never) => unknown }
declare const listed: unique symbol
/** The keys of a declared kind begin with it. */
export type DraftPrefix = string & { readonly [listed]: true }

/** One value under its key, as the record writes it. Null clears what was stored. */
export interface DraftOf<V> {
  key: DraftKey<V>
  value: V | null
}

/**
 * When a value leaves the device by itself. A logout leaves all of them to their student, and closing the account deletes all
 * (record/forget.ts).
 * - `task`: when its student has finished, sent or given up what it resumes
 * - `day`: when the next day's takes its place
 * - `kept`: it stays, because it is looked at later or says how far something has come
 */
type Life = 'task' | 'day' | 'kept'

interface Declared<V> {
  /** It is the format on disk, so it never changes, whatever the kind is called. */
  prefix: string
  schema: v.GenericSchema<unknown, V>
  /** The folder under src, or under src/features, whose code writes it. */
  writtenBy: 'question' | 'sitting' | 'exam' | 'player' | 'course' | 'address' | 'offline'
  life: Life
}

export interface DraftKind<V> extends Declared<V> {
  prefix: DraftPrefix
  /** Returns the key of the one with these names, which stand in their order. */
  key: (...names: readonly (string | number | undefined)[]) => DraftKey<V>
  /** Returns null for a value that does not fit, such as one from an earlier release. */
  read: (value: unknown) => V | null
}

export const declareDraft = <V>(declared: Declared<V>): DraftKind<V> => ({
  ...declared,
  prefix: declared.prefix as DraftPrefix,
  key: (...names) => [declared.prefix, ...names].join(':') as DraftKey<V>,
  read: (value) => {
    const { success, output } = v.safeParse(declared.schema, value)
    return success ? output : null
  },
})

interface Reader {
  loadDraft: (key: AnyDraftKey) => Promise<unknown>
}
/** Returns null where nothing is kept, and where the device cannot read its record. */
export const readDraft = async <V>(record: Reader, kind: DraftKind<V>, key: DraftKey<V>): Promise<V | null> =>
  kind.read(await record.loadDraft(key).catch(() => null))

interface ListReader {
  drafts: (prefix: DraftPrefix) => Promise<{ key: string; value: unknown }[]>
}
/** All of one kind that can be read. */
export async function readDrafts<V>(record: ListReader, kind: DraftKind<V>): Promise<{ key: DraftKey<V>; value: V }[]> {
  const found = await record.drafts(kind.prefix)
  return found.flatMap(({ key, value }) => {
    const read = kind.read(value)
    return read === null ? [] : [{ key: key as DraftKey<V>, value: read }]
  })
}

import { useCallback } from 'react'
import { v7 as uuidv7 } from 'uuid'
import type { StudyState } from '#src/contract/study.ts'
import { blankState, type Place, placeOf } from '#src/domain/study/study.ts'
import { typedNote } from '#src/offline/drafts/player.ts'
import { offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import type { Item } from '../playerState.ts'

/** The folder that everybody has; what a deleted one held is in it. */
export const DEFAULT_FOLDER = ''
export const DEFAULT_NAME = '默认收藏夹'
export const FOLDER_NAME_MAX = 20
/** As many as an op may name; nobody has more than one for each of their devices. */
const OVER_MAX = 100

export const idsOf = (held: readonly { opId: string }[] = []): string[] => held.map(({ opId }) => opId)
export const placeIn = ({ chapterNo, libraryNo, type, points }: StudyState): Place => ({
  chapterNo,
  libraryNo,
  type,
  points,
})

/** Into a folder or, null, out of the collection, in the place of what was shown. Resolves when it is on disk. */
export const collect = (state: StudyState, folder: string | null): Promise<string> =>
  offline.add({
    kind: 'collect',
    payload: { questionNo: state.questionNo, folder, over: idsOf(state.collected).slice(-OVER_MAX) },
    place: placeIn(state),
  })

/** Into the folders that it was in before it was taken out. */
export const putBack = (state: StudyState, folders: readonly string[]): Promise<unknown> =>
  offline.addAll(
    folders.map((folder) => ({
      kind: 'collect' as const,
      payload: { questionNo: state.questionNo, folder, over: [] },
      place: placeIn(state),
    })),
  )

/** The note in the place of those that the student has read; '' deletes them. What was typed is safe with it, as a draft no more. */
export async function writeNote(state: StudyState, text: string, over: readonly string[]): Promise<void> {
  const { questionNo } = state
  const key = typedNote.key(questionNo)
  await offline.add(
    { kind: 'note', payload: { questionNo, text, over: over.slice(-OVER_MAX) }, place: placeIn(state) },
    { key, value: null },
  )
  void offline.dropDraft(key).catch(() => {})
}

/** Sorts by time, and may stand in a path. */
export const newFolderNo = (): string => `f${uuidv7().replaceAll('-', '')}`
/** '' deletes it. */
export const nameFolder = (name: string, no: string): Promise<void> =>
  offline.add({ kind: 'folder', payload: { no, name } }).then(() => {})

/** Names by number, the oldest folder first; without the one that everybody has. */
export type Folders = ReadonlyMap<string, string>

export async function readFolders(): Promise<Folders> {
  const folders = await offline.things('folder')
  return new Map(
    [...folders]
      .filter(([, { name }]) => name !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([no, { name }]) => [no, name]),
  )
}
const isFolder = (changed: string): boolean => changed === 'folder'
const NONE: Folders = new Map()
export const useFolders = (): Folders => useRecord(readFolders, isFolder).data ?? NONE

/** The folders that a question is in; two devices may have chosen one each. */
export const foldersOf = ({ collected = [] }: StudyState, folders: Folders): string[] => [
  ...new Set(collected.map(({ folder }) => (folders.has(folder) ? folder : DEFAULT_FOLDER))),
]

const blankOf = ({ part, ...item }: Item): StudyState => blankState(part.no, placeOf(part, item))

/** What the record says of a question on the screen. */
export async function readMarks(item: Item): Promise<StudyState> {
  const { no } = item.part
  return (await offline.states([no])).get(no) ?? blankOf(item)
}

/** The same, as long as it is on the screen; null until it is read. A device that cannot be read says so when it is to write. */
export function useMarks(item: Item): StudyState | null {
  const { no } = item.part
  const read = useCallback(() => readMarks(item), [item])
  const touches = useCallback((changed: string) => changed === no, [no])
  const { data, failed } = useRecord(read, touches)
  return data ?? (failed ? blankOf(item) : null)
}

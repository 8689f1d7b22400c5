import * as v from 'valibot'
import type { Paper } from '#src/contract/questionSet.ts'
import type { Response } from '#src/contract/response.ts'
import { markPaper, type PaperResult } from '#src/domain/paper.ts'
import { offline } from '#src/offline/index.ts'
import { type Item, itemsOf, next, type PlayerState, restoreOn, Snapshot, snapshot, start } from '#src/player/player.ts'
import { deviceMemory } from '#src/ui/memory.ts'

/** 即时反馈, 交卷后看, 背题. */
export const SET_MODES = ['practice', 'exam', 'recite'] as const
export type SetMode = (typeof SET_MODES)[number]
const MODE_KEY = 'jk-set-mode'
export const rememberedMode = (): SetMode => SET_MODES.find((mode) => mode === deviceMemory.get(MODE_KEY)) ?? 'practice'
export const rememberMode = (mode: SetMode): void => deviceMemory.set(MODE_KEY, mode)

/** A paper is left and gone on with in each mode by itself. */
export const draftKey = (itemNo: string, mode: SetMode): string => `paper:${itemNo}:${mode}`

const itemsOfPaper = (paper: Paper): Item[] =>
  paper.sections.flatMap(({ title, entries }, block) =>
    entries.flatMap(({ question, chapterNo, libraryNo }) =>
      itemsOf(question, { chapterNo, libraryNo, block, section: title }),
    ),
  )

export const newSitting = (paper: Paper, mode: SetMode): PlayerState => start(itemsOfPaper(paper), mode)

/** The sitting that was left on this device, else a new one. */
export async function openSitting(paper: Paper, mode: SetMode): Promise<PlayerState> {
  const draft = await offline.loadDraft(draftKey(paper.no, mode)).catch(() => null)
  const saved = v.safeParse(Snapshot, draft)
  if (!saved.success) return newSitting(paper, mode)
  const state = restoreOn(saved.output, itemsOfPaper(paper))
  return mode === 'recite' ? next(state, { type: 'mode', mode }) : state
}

/** What counts of a sitting: an answer that is marked, or all of them once it is handed in. */
export const resultOfSitting = (paper: Paper, { parts, mode }: PlayerState): PaperResult =>
  markPaper(
    paper,
    new Map<string, Response>(
      Object.entries(parts)
        .filter(([, { right }]) => right !== null || mode === 'review')
        .map(([no, { response }]) => [no, response]),
    ),
  )

/**
 * Hands a sitting in: marked on this device by the paper's own rules, and kept as the draft. Resolves when it is on disk.
 * @throws StorageError when the device could not keep it; the sitting then stays open.
 */
export async function handIn(paper: Paper, sitting: PlayerState): Promise<void> {
  const value = snapshot(next(sitting, handInEvent(paper)))
  await offline.saveDraft({ key: draftKey(paper.no, 'exam'), value })
}
export const handInEvent = (paper: Paper) => ({ type: 'hand-in', strict: paper.partial === 'none' }) as const

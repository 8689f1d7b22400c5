import { type DraftKey, readDraft } from '#src/offline/drafts/kind.ts'
import type { Snapshot } from '#src/offline/drafts/practice.ts'
import { offline } from '#src/offline/index.ts'
import { type Item, itemsOf, type PlayerState } from '#src/player/playerState.ts'
import { snapshot } from '#src/player/snapshot.ts'
import { readAnswers } from './drafts.ts'
import type { HandingIn, OpenedSitting, Policy, BaseSitting, SatPaper } from './policy.ts'
import { refusalsOf } from './refusals.ts'

/** A paper, or the key of one, as the player takes it. */
export const itemsOfPaper = ({ sections }: Pick<SatPaper, 'sections'>): Item[] =>
  sections.flatMap(({ title, entries }, block) =>
    entries.flatMap(({ question, chapterNo, libraryNo }) =>
      itemsOf(question, { chapterNo, libraryNo, block, section: title }),
    ),
  )

/**
 * Begins a sitting; those before it stay. Where nobody else hears of it, it lasts on a device that keeps nothing as long as the page.
 * @param paper stays with the sitting where it is sealed.
 * @throws StorageError when the device cannot keep what the server is told; then nothing has begun.
 */
export async function begin<P extends SatPaper, S extends BaseSitting>(
  { sealed, drafts, marked }: Policy<P, S>,
  sitting: S,
  paper: P | null = null,
): Promise<S> {
  const begun = { key: drafts.begun(sitting), value: sitting }
  if (sealed && paper) await offline.saveDraft({ key: sealed.key(sitting.id), value: paper })
  await (marked.beginAct ? offline.add(marked.beginAct(sitting), begun) : offline.saveDraft(begun).catch(() => {}))
  return sitting
}

/** Makes the key of the answers, before and after the hand-in. */
export const answersKey = <P extends SatPaper, S extends BaseSitting>(
  { drafts: { answers, handed } }: Policy<P, S>,
  id: string,
  mode: PlayerState['mode'],
): DraftKey<Snapshot> => (mode === 'review' ? handed : answers).key(id)

export const readElapsed = async <P extends SatPaper, S extends BaseSitting>(
  { drafts: { clock } }: Policy<P, S>,
  id: string,
): Promise<number> => (await readDraft(offline, clock, clock.key(id)))?.elapsedMs ?? 0

/** Opens a sitting as it was left. */
export async function openSitting<P extends SatPaper, S extends BaseSitting>(
  policy: Policy<P, S>,
  paper: P,
  sitting: S,
): Promise<OpenedSitting<P, S>> {
  const { answers, handed } = policy.drafts
  // The server may refuse a hand-in that it marks; the student then goes on with the answers, not with what was handed in.
  const kinds = policy.marked.by === 'device' ? [handed, answers] : [answers]
  const [saved, elapsedMs] = await Promise.all([readAnswers(kinds, sitting.id), readElapsed(policy, sitting.id)])
  return { paper, sitting, state: await policy.marked.restore(itemsOfPaper(paper), saved, sitting), elapsedMs }
}

/**
 * Hands in: what is not recorded yet and the hand-in itself, in one write. Resolves when it is on disk, or was before, by another
 * tab. A player that goes on must take from the disk under which ids its answers were recorded.
 * @throws StorageError when the device could not keep it; the sitting then stays as it is.
 */
export async function handIn<P extends SatPaper, S extends BaseSitting>(
  { marked, drafts }: Policy<P, S>,
  given: HandingIn<P, S>,
): Promise<void> {
  const { id } = given.sitting
  const refused = await refusalsOf(marked, id).catch(() => [])
  const { acts, handed } = await marked.handIn(given, refused)
  const opIds = await offline.addAll(acts, { key: drafts.handed.key(id), value: snapshot(handed) })
  if (opIds.length > 0) void marked.afterwards?.(handed).catch(() => {})
  // It is handed in, whether or not the refusals leave.
  await Promise.allSettled(refused.map(({ opId }) => offline.dismiss(opId)))
}

import { placeOf } from '#src/domain/study/study.ts'
import { offline } from '#src/offline/index.ts'
import { type Item, partState } from '../playerState.ts'
import type { PlayerHandle } from '../usePlayer.ts'

/** The answer of this batch that was given last, of those that still stand. Reviews and papers have none to take back. */
export function lastAnswer({ state, draftKey }: Pick<PlayerHandle, 'state' | 'draftKey'>): Item | null {
  if (draftKey === null || state.mode !== 'practice') return null
  const opOf = ({ part }: Item): string => state.parts[part.no]?.opId ?? ''
  // Op ids sort by time.
  return state.items.reduce<Item | null>((last, item) => (opOf(item) > (last ? opOf(last) : '') ? item : last), null)
}

/** Takes an answer back: the question is open again as it was before its mark. False: the device could not keep it. */
export function undo({ state, keep }: PlayerHandle, item: Item): Promise<boolean> {
  const { part } = item
  const { opId = '', right, spentMs } = partState(state, part)
  return keep(
    part,
    (draft) =>
      offline.add(
        {
          kind: 'retract',
          payload: { questionNo: part.no, target: opId },
          place: placeOf(part, item),
          undone: { at: timeOf(opId), right: right === true, spentMs },
        },
        draft,
      ),
    { type: 'reopen', part },
  )
}

/** Epoch ms at which a UUIDv7 was made. */
const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

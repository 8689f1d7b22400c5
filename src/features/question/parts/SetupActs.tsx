import { IconAdjustmentsHorizontal, IconRestore } from '@tabler/icons-react'
import { useState } from 'react'
import type { PlayerState } from '#src/player/playerState.ts'
import { Act } from '#src/player/tools/Act.tsx'
import { mayDrop } from '../mayDrop.ts'
import { choiceOf, describe, loadSetup, resetSetup } from '../setup.ts'
import { SetupSheet, WaySheet } from './SetupSheet.tsx'

export interface BatchSetup {
  /** A chapter or a library; null: a list of the student's own, of which only the way can be chosen. */
  no: string | null
  /** The order of the list is not to be chosen. */
  ordered?: boolean | undefined
  /** Gives up what there is for a batch of so many, as the set-up says now. */
  onNew: (size: number | null) => void
}

interface SetupActsProps extends BatchSetup {
  state: PlayerState
  onOpen: () => void
}

/** Puts into 更多 the way to 练习设置, with what this batch was chosen by, and the way back to the ordinary one. */
export function SetupActs({ no, state, onNew, onOpen }: SetupActsProps) {
  // A batch that was left may have been chosen otherwise than the next one will be.
  const [setup] = useState(() => loadSetup(no ?? ''))
  const own = no === null ? '' : (state.deal?.choice ?? '')
  const text = own && (own === choiceOf(setup) ? describe(setup) : '上次的设置')
  const reset = async () => {
    if (!(await mayDrop(state))) return
    resetSetup(setup.of)
    onNew(null)
  }
  return (
    <>
      <Act
        icon={<IconAdjustmentsHorizontal />}
        label="练习设置"
        name={`练习设置 ${text}`.trim()}
        note={text}
        onClick={onOpen}
      />
      {text && <Act icon={<IconRestore />} label="恢复默认设置" onClick={() => void reset()} />}
    </>
  )
}

/** 练习设置 of the batch that is under way. */
export function BatchSetupSheet({
  no,
  ordered,
  state,
  onNew,
  onClose,
}: BatchSetup & { state: PlayerState; onClose: () => void }) {
  const renew = (size: number | null) => {
    onClose()
    onNew(size)
  }
  return no === null ? (
    <WaySheet ordered={ordered} before={state} onStart={() => renew(null)} onClose={onClose} />
  ) : (
    <SetupSheet no={no} before={state} onStart={renew} onClose={onClose} />
  )
}

import { useCallback } from 'react'
import type { ExamSittingRecord } from '#src/contract/sitting.ts'
import { type DeadOp, offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import { refusalsOf } from '#src/sitting/engine/refusals.ts'
import { examPolicy } from './policy.ts'
import { isHanded, readPaper, readSitting } from './sitting.ts'

const isExam = (changed: string): boolean => changed === 'exam'

export type Handed = ExamSittingRecord & { id: string; handedAt: number }
export interface MySittings {
  /** Open on this device. */
  open: { id: string; mode: ExamSittingRecord['mode']; startedAt: number } | null
  /** The newest first. */
  handed: Handed[]
}

/** Of one exam; null until the device has been read. */
export function useSittings(no: string): MySittings | null {
  const read = useCallback(async (): Promise<MySittings> => {
    const [known, begun] = await Promise.all([offline.things('exam'), readSitting(no)])
    const hasPaper = begun !== null && (await readPaper(begun.id)) !== null
    const handed = [...known].flatMap(([id, sitting]): Handed[] => {
      const { handedAt } = sitting
      const mayFollow = begun?.id === id && !isHanded(sitting, hasPaper)
      return sitting.exam === no && handedAt !== null && !mayFollow ? [{ ...sitting, id, handedAt }] : []
    })
    const open = begun && !handed.some(({ id }) => id === begun.id) ? begun : null
    return { open, handed: handed.sort((a, b) => b.handedAt - a.handedAt) }
  }, [no])
  const { data, failed } = useRecord(read, isExam)
  return data ?? (failed ? { open: null, handed: [] } : null)
}

export interface Receipt {
  sitting: ExamSittingRecord | null
  /** The hand-in has not reached the server yet. */
  waiting: boolean
  /** It was refused. */
  refused: DeadOp | null
}

/** One sitting as the record has it, and how far its hand-in has come; null until the device has been read. */
export function useReceipt(sittingId: string): Receipt | null {
  const read = useCallback(async (): Promise<Receipt> => {
    const [known, waiting, [refused = null]] = await Promise.all([
      offline.things('exam'),
      offline.waiting(),
      refusalsOf(examPolicy.marked, sittingId),
    ])
    const sitting = known.get(sittingId) ?? null
    return { sitting, waiting: waiting.some(({ opId, acked }) => opId === sitting?.handIn && !acked), refused }
  }, [sittingId])
  const { data, failed } = useRecord(read, isExam)
  return data ?? (failed ? { sitting: null, waiting: false, refused: null } : null)
}

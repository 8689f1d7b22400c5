import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback } from 'react'
import type { Attempt } from '#src/contract/attempt.ts'
import type { Paper } from '#src/contract/questionSet.ts'
import { offline } from '#src/offline/index.ts'
import type { Sheet } from '#src/sitting/sheet.ts'
import { begin, chosenMode, openHanded, openSitting } from '#src/sitting/sitting.ts'
import { type Opened, SittingPage } from '#src/sitting/SittingPage.tsx'
import { paperQuery } from './queries.ts'

interface PaperPageProps {
  no: string
  itemNo: string
  /** A sitting that was handed in, to be looked at; else the one that was left, or a new one. */
  past?: string | undefined
  onLeave: () => void
  /** From a past sitting to the new one. */
  onRestart: () => void
  /** The mark of syncing. */
  mark?: ReactNode
}
const REPORT = { leave: '返回题集' }

export const sheetOf = ({ title, partial, rev, locked, sections, setNo, no }: Paper): Sheet => ({
  title,
  partial,
  rev,
  locked,
  sections,
  minutes: null,
  ref: { of: 'set', no: setNo, itemNo: no, rev, trial: locked > 0 },
})

/** 套卷练习: goes on with the paper where it was left, in the mode that was chosen; or how a past sitting went. */
export function PaperPage({ no, itemNo, past, onLeave, onRestart, mark }: PaperPageProps) {
  const asked = useQuery({ ...paperQuery(no, itemNo), select: sheetOf })
  const find = useCallback((sheet: Sheet | null) => open(sheet, itemNo, past), [itemNo, past])
  const again = async (mode: Parameters<typeof begin>[1]) => {
    await begin({ of: 'set', no, itemNo }, mode)
    if (past) onRestart()
    return !past
  }
  return <SittingPage asked={asked} find={find} onAgain={again} onLeave={onLeave} report={REPORT} mark={mark} />
}

/** Null: there is nothing to show without the paper. */
async function open(sheet: Sheet | null, itemNo: string, past: string | undefined): Promise<Opened | null> {
  const attempts = await offline.things('attempt').catch(() => new Map<string, Attempt>())
  const attempt = past === undefined ? undefined : attempts.get(past)
  if (past !== undefined && attempt) {
    const kept = sheet && (await openHanded(sheet, past, attempt))
    return sheet && kept ? { at: 'sitting', sheet, ...kept } : { at: 'record', attempt, sheet }
  }
  if (!sheet) return null
  const found = await openSitting(sheet, await chosenMode(itemNo))
  const handedIn = attempts.get(found.sitting.id)
  // Another tab has handed it in; what it answered is not what this device has kept last.
  if (handedIn && found.state.mode !== 'review') return { at: 'record', attempt: handedIn, sheet }
  return { at: 'sitting', sheet, ...found }
}

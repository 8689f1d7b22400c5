import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback } from 'react'
import type { Paper } from '#src/contract/questionSet.ts'
import type { StudyMode } from '#src/domain/study/modes.ts'
import { chosenMode } from '#src/sitting/engine/chosenMode.ts'
import { beginAt, type Opened, openCurrent, openPast } from '#src/sitting/engine/open.ts'
import type { Sheet } from '#src/sitting/engine/sheet.ts'
import { SittingPage } from '#src/sitting/SittingPage.tsx'
import { setPolicy } from './policy.ts'
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
  const again = async (mode: StudyMode) => {
    await beginAt(setPolicy, { no, itemNo }, mode)
    if (past) onRestart()
    return !past
  }
  return <SittingPage policy={setPolicy} {...{ asked, find, onLeave, mark }} onAgain={again} report={REPORT} />
}

/** Null: there is nothing to show without the paper. */
const open = async (sheet: Sheet | null, itemNo: string, past: string | undefined): Promise<Opened | null> =>
  (past === undefined ? null : await openPast(setPolicy, sheet, past)) ??
  (sheet && (await openCurrent(setPolicy, sheet, await chosenMode(itemNo))))

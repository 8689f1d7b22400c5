import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback } from 'react'
import { openCurrent, openPast } from '#src/sitting/open.ts'
import type { Sheet } from '#src/sitting/sheet.ts'
import { SittingPage } from '#src/sitting/SittingPage.tsx'
import { testingPaperQuery } from './queries.ts'
import { sheetOf, type TestingMode } from './sheet.ts'

interface TestingStudyPageProps {
  no: string
  attemptId: string
  mode: TestingMode
  /** It is handed in. Stays the same function. */
  onAnalysis: () => void
  onLeave: () => void
  /** The mark of syncing. */
  mark: ReactNode
}
const REPORT = { leave: '返回测评' }

/** One sitting of a testing, until it is handed in. */
export function TestingStudyPage({ no, attemptId, mode, onAnalysis, onLeave, mark }: TestingStudyPageProps) {
  const asked = useQuery({ ...testingPaperQuery(no), select: sheetOf })
  const find = useCallback(
    async (sheet: Sheet | null) => {
      const found = (await openPast(sheet, attemptId)) ?? (sheet && (await openCurrent(sheet, mode, attemptId)))
      if (!found || (found.at === 'sitting' && found.state.mode !== 'review')) return found
      onAnalysis()
      return null
    },
    [attemptId, mode, onAnalysis],
  )
  return (
    <SittingPage
      asked={asked}
      find={find}
      // Only a sitting that is over can be done again.
      onAgain={async () => false}
      onLeave={onLeave}
      onHandedIn={onAnalysis}
      report={REPORT}
      mark={mark}
    />
  )
}

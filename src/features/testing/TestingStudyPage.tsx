import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback } from 'react'
import { openCurrent, openPast } from '#src/sitting/engine/open.ts'
import type { Sheet } from '#src/sitting/engine/sheet.ts'
import { SittingPage } from '#src/sitting/SittingPage.tsx'
import { testingPolicy } from './policy.ts'
import { testingPaperQuery } from './queries.ts'
import { sheetOf, type TestingMode } from './sheet.ts'

interface TestingStudyPageProps {
  no: string
  sittingId: string
  mode: TestingMode
  /** It is handed in. Stays the same function. */
  onAnalysis: () => void
  onLeave: () => void
  /** The mark of syncing. */
  mark: ReactNode
}
const REPORT = { leave: '返回测评' }

/** One sitting of a testing, until it is handed in. */
export function TestingStudyPage({ no, sittingId, mode, onAnalysis, onLeave, mark }: TestingStudyPageProps) {
  const asked = useQuery({ ...testingPaperQuery(no), select: sheetOf })
  const find = useCallback(
    async (sheet: Sheet | null) => {
      const found =
        (await openPast(testingPolicy, sheet, sittingId)) ??
        (sheet && (await openCurrent(testingPolicy, sheet, mode, sittingId)))
      if (!found || (found.at === 'sitting' && found.state.mode !== 'review')) return found
      onAnalysis()
      return null
    },
    [sittingId, mode, onAnalysis],
  )
  return (
    <SittingPage
      policy={testingPolicy}
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

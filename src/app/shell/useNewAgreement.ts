import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { consentsQuery } from '#src/api/consents.ts'
import { useSession } from '#src/session/useSession.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { isBusy } from './nav.ts'
import { type Dialogs, isAsking } from './useDialogs.ts'

/** Nothing asks while one reads what it would ask about. */
const isReading = (pathname: string): boolean => pathname.startsWith('/agreement/')

/**
 * Asks a student once a page about versions that they have not agreed to: never while they study, and after whatever else is to be
 * said. Without a network nobody is asked, as no answer could be taken.
 */
export function useNewAgreement({ shown, coming, isComing, open }: Dialogs, pathname: string): void {
  const { token } = useSession()
  const asking = useSyncExternalStore(feedback.subscribe, isAsking)
  const [asked, setAsked] = useState(false)
  const calm = !asked && !asking && !coming && shown === null && !isBusy(pathname) && !isReading(pathname)
  const enabled = token !== '' && calm
  const { data } = useQuery({ ...consentsQuery(), enabled, staleTime: Number.POSITIVE_INFINITY })
  const due = enabled && (data?.asks.length ?? 0) > 0
  useEffect(() => {
    if (!due) return
    const timer = setTimeout(() => {
      if (isComing()) return
      setAsked(true)
      open('agree', true)
    })
    return () => clearTimeout(timer)
  }, [due, isComing, open])
}

import { onlineManager, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { Library } from '#src/contract/question.ts'
import { DEVICE_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { usePacks } from '#src/offline/usePacks.ts'
import { Button } from '#src/ui/Button.tsx'
import { libraryListQuery } from '../queries.ts'
import { allView } from './allView.ts'
import { DownloadAll } from './DownloadAll.tsx'

const isDue = (): boolean => deviceMemory.get(DEVICE_KEYS.allOffered) === null && onlineManager.isOnline()

/** 下载全部, offered once on a device, when the first batch was finished; where it is not offered stand the children. */
export function DownloadOffer({ children }: { children: ReactNode }) {
  const [due, setDue] = useState(isDue)
  const [begun, setBegun] = useState(false)
  const { data, isFetching } = useQuery({ ...libraryListQuery(), enabled: due })
  const state = usePacks()
  if (!due) return children
  if (!data || !state.rows) return isFetching || data ? null : children
  // Whoever has begun with it in 题库 needs no offer.
  if (!begun && !allView(data, state).acts.includes('start')) return children
  return <Offer libraries={data} begun={begun} onBegun={() => setBegun(true)} onLater={() => setDue(false)} />
}

interface OfferProps {
  libraries: readonly Library[]
  begun: boolean
  onBegun: () => void
  onLater: () => void
}

function Offer({ libraries, begun, onBegun, onLater }: OfferProps) {
  useEffect(() => deviceMemory.set(DEVICE_KEYS.allOffered, '1'), [])
  return (
    <DownloadAll libraries={libraries} onBegun={onBegun}>
      {!begun && (
        <Button small look="quiet" tone="plain" onClick={onLater}>
          以后再说
        </Button>
      )}
    </DownloadAll>
  )
}

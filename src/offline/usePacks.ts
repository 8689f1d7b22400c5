import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { isPacked, type PackRow } from './downloads/packs/pack.ts'
import { type Activity, packs, type PacksState } from './downloads/packs/packs.ts'

let opened = false
const PATH = 3

function useOpenPacks(): void {
  const client = useQueryClient()
  useEffect(() => {
    if (opened) return
    opened = true
    // The next batch is dealt from the new version; the one that is being studied has its questions already.
    packs.onSwap(() =>
      client.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => isPacked(queryKey[PATH]) }),
    )
    void packs.open()
  }, [client])
}

/** Packs of this device and what their downloads do. Downloads outlive the screen that began them. */
export function usePacks(): PacksState {
  useOpenPacks()
  return useSyncExternalStore(packs.subscribe, packs.get)
}

/** The pack of one library: what another download does draws nothing of it again. */
export function usePack(no: string): { known: boolean; row: PackRow | undefined; activity: Activity | undefined } {
  useOpenPacks()
  const known = useSyncExternalStore(packs.subscribe, () => packs.get().rows !== null)
  const row = useSyncExternalStore(packs.subscribe, () => packs.get().rows?.get(no))
  const activity = useSyncExternalStore(packs.subscribe, () => packs.get().activities.get(no))
  return { known, row, activity }
}

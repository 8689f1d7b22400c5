import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { isPacked } from './pack.ts'
import { packs, type PacksState } from './packs.ts'

let opened = false
const PATH = 3

/** Packs of this device and what their downloads do. Downloads outlive the screen that began them. */
export function usePacks(): PacksState {
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
  return useSyncExternalStore(packs.subscribe, packs.get)
}

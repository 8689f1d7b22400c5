import { useCallback, useEffect, useState } from 'react'
import { keepUsedParts } from '#src/offline/device/keepLazyAssets.ts'
import { type Province, readRegions } from '#src/domain/address/regions.ts'

export type Provinces = readonly Province[]
let known: Provinces | null = null
let coming: Promise<Provinces> | null = null

/** A file of its own, fetched when a form opens and kept from then on. */
async function fetchRegions(): Promise<Provinces> {
  const { default: text } = await import('virtual:regions')
  keepUsedParts().catch(() => {})
  return (known = readRegions(text))
}

export interface Regions {
  /** Null until they are here. */
  provinces: Provinces | null
  failed: boolean
  again: () => void
}

export function useRegions(): Regions {
  const [provinces, setProvinces] = useState(known)
  const [failed, setFailed] = useState(false)
  const load = useCallback(() => {
    coming ??= fetchRegions()
    coming.then(setProvinces, () => {
      // The next form, or 重试, asks again.
      coming = null
      setFailed(true)
    })
  }, [])
  useEffect(load, [load])
  const again = () => {
    setFailed(false)
    load()
  }
  return { provinces, failed, again }
}

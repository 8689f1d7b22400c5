import { type ComponentType, useState } from 'react'
import { feedback } from './feedback.ts'

/**
 * A dialog in a file of its own, which comes when it is first asked for.
 * @param without said where it cannot be fetched
 */
export function useLater<P>(load: () => Promise<ComponentType<P>>, without: string) {
  const [Part, setPart] = useState<ComponentType<P> | null>(null)
  const [busy, setBusy] = useState(false)
  const open = async () => {
    setBusy(true)
    // A prevented preload error resolves without a module.
    const loaded = await load().catch(() => null)
    setBusy(false)
    if (loaded) setPart(() => loaded)
    else await feedback.warn(without)
  }
  return { Part, busy, open: () => void open(), close: () => setPart(null) }
}

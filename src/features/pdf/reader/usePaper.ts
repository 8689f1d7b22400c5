import { useState } from 'react'
import { deviceMemory } from '#src/device/stores.ts'
import { useScheme } from '#src/ui/scheme.ts'

const KEY = 'jk-pdf-paper'

/** Dark paper, where the app is dark and the student wants it: it turns the colours of pictures about, too. */
export function usePaper(): { inverted: boolean; toggle: () => void } {
  const dark = useScheme() === 'dark'
  const [wanted, setWanted] = useState(() => deviceMemory.get(KEY) === 'dark')
  const toggle = () => {
    deviceMemory.set(KEY, wanted ? 'white' : 'dark')
    setWanted(!wanted)
  }
  return { inverted: dark && wanted, toggle }
}

import { DEVICE_KEYS } from '#src/device/keys.ts'
import { useState } from 'react'
import { deviceMemory } from '#src/device/stores.ts'
import { useScheme } from '#src/ui/scheme.ts'

/** Dark paper, where the app is dark and the student wants it: it turns the colours of pictures about, too. */
export function usePaper(): { inverted: boolean; toggle: () => void } {
  const dark = useScheme() === 'dark'
  const [wanted, setWanted] = useState(() => deviceMemory.get(DEVICE_KEYS.darkPaper) === 'dark')
  const toggle = () => {
    deviceMemory.set(DEVICE_KEYS.darkPaper, wanted ? 'white' : 'dark')
    setWanted(!wanted)
  }
  return { inverted: dark && wanted, toggle }
}

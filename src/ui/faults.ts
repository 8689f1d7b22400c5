import { useLayoutEffect, useRef, useState } from 'react'

export type Faults = Record<string, string | undefined>

/** A field, never the frame around it, which Mantine marks as well. */
const FAULTY = ':is(input, textarea, button):is([aria-invalid=true], [data-invalid])'

/** Faults of a form that was sent too early; the first field that has one gets the focus, so that keys mend it. */
export function useFaults() {
  const [{ faults, told }, set] = useState<{ faults: Faults; told: Faults }>({ faults: {}, told: {} })
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    if (Object.keys(told).length > 0) form.current?.querySelector<HTMLElement>(FAULTY)?.focus()
  }, [told])
  return {
    faults,
    setFaults: (found: Faults) => set({ faults: found, told: found }),
    /** What is being mended is not wrong any more; who types in it stays there. */
    mend: (names: readonly string[]) =>
      set((now) => ({
        ...now,
        faults: Object.fromEntries(Object.entries(now.faults).filter(([name]) => !names.includes(name))),
      })),
    form,
  }
}

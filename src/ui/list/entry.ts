import { TAB_KEYS } from '#src/device/keys.ts'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useEffectEvent, useLayoutEffect, useState } from 'react'
import { tabMemory } from '#src/device/stores.ts'

/**
 * What a screen looked like when its entry of the browser's history was left: which tab was open, how far a list had grown. Who
 * comes back to the entry, also by a reload, finds it so; who opens the same address anew does not.
 */
type Kept = Record<string, unknown>
/** So many entries back nobody goes step by step. */
const MAX_ENTRIES = 50

let entries: Map<string, Kept> | undefined

function read(): Map<string, Kept> {
  if (entries) return entries
  try {
    entries = new Map<string, Kept>(JSON.parse(tabMemory.get(TAB_KEYS.entries) ?? '[]'))
  } catch {
    // What another version wrote.
    entries = new Map()
  }
  return entries
}

function write(entry: string, name: string, value: unknown): void {
  const all = read()
  const kept = { ...all.get(entry), [name]: value }
  // Anew at the end: the oldest ones leave first.
  all.delete(entry)
  all.set(entry, kept)
  for (const oldest of [...all.keys()].slice(0, -MAX_ENTRIES)) all.delete(oldest)
  tabMemory.set(TAB_KEYS.entries, JSON.stringify([...all]))
}

const keyOf = ({ state, href }: AnyRouter['latestLocation']): string => state.__TSR_key ?? href

// A part may be shown by itself, where nothing is left or come back to.
const useRouterOrNone = (): AnyRouter | undefined => useRouter({ warn: false })

/** What was kept for this entry when the screen came up; undefined for an entry that is new. */
export function useKept(name: string): unknown {
  const router = useRouterOrNone()
  const [kept] = useState(() => router && read().get(keyOf(router.latestLocation))?.[name])
  return kept
}

/**
 * @param name of what is kept, among all that this screen keeps
 * @param look says what is to be kept, as the screen is left
 */
export function useKeeping(name: string, look: () => unknown): void {
  const router = useRouterOrNone()
  const keep = useEffectEvent((location: AnyRouter['latestLocation']) => write(keyOf(location), name, look()))
  useLayoutEffect(() => {
    if (!router) return
    // By then the next entry is the current one, and this screen is still there to be looked at.
    const stop = router.subscribe('onBeforeLoad', ({ fromLocation }) => fromLocation && keep(fromLocation))
    const hide = () => keep(router.latestLocation)
    window.addEventListener('pagehide', hide)
    return () => {
      stop()
      window.removeEventListener('pagehide', hide)
    }
  }, [router])
}

/** One of a few choices, such as a tab, that comes back with its entry. */
export function useEntryChoice<T extends string>(name: string, choices: readonly T[], initial: T) {
  const kept = useKept(name)
  const [chosen, choose] = useState(() => choices.find((choice) => choice === kept) ?? initial)
  useKeeping(name, () => chosen)
  return [chosen, choose] as const
}

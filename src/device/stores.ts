import { type Carried, carriedOf } from './carried.ts'
import type { DeviceKey, TabKey } from './keys.ts'

type Kind = 'localStorage' | 'sessionStorage'
const TRY = 'jk-try'

/** One that is full still gives what it holds. */
const holdsSomething = (storage: Storage): boolean => Object.keys(storage).length > 0
function takesSomething(storage: Storage): boolean {
  try {
    storage.setItem(TRY, '1')
    const isKept = storage.getItem(TRY) === '1'
    storage.removeItem(TRY)
    return isKept
  } catch {
    return false
  }
}

/** Small values by name, kept by the browser or, where it does not keep them, by this page: no screen fails for want of storage. */
function createStore<Key extends string>(kind: Kind) {
  /** Values that the browser did not take. Those of the page before are offered to it once more. */
  const unkept = new Map<Key, string>()
  let tried: Storage | null = null
  let works = false

  /** Null where the browser keeps nothing: its site data are blocked, or it is a WebView without such a storage. */
  function storage(): Storage | null {
    try {
      const found: Storage | null | undefined = globalThis[kind]
      if (!found) return null
      if (found !== tried) works = holdsSomething(found) || takesSomething(found)
      tried = found
      return works ? found : null
    } catch {
      return null
    }
  }
  function set(key: Key, value: string): void {
    try {
      const found = storage()
      found?.setItem(key, value)
      if (found) unkept.delete(key)
      else unkept.set(key, value)
    } catch {
      unkept.set(key, value)
    }
  }
  for (const [key, value] of Object.entries(carriedOf(kind))) set(key as Key, value)
  return {
    get(key: Key): string | null {
      try {
        return unkept.get(key) ?? storage()?.getItem(key) ?? null
      } catch {
        return null
      }
    },
    set,
    remove(key: Key): void {
      unkept.delete(key)
      try {
        storage()?.removeItem(key)
      } catch {
        // Then it holds nothing that could be read, either.
      }
    },
    keys: (): Key[] => [...new Set([...unkept.keys(), ...(Object.keys(storage() ?? {}) as Key[])])],
    /** Whether the browser keeps anything at all. */
    works: (): boolean => storage() !== null,
    /** Whether the browser has taken the last value of this name; a full one leaves the value before it in its place. */
    isKept: (key: Key): boolean => storage() !== null && !unkept.has(key),
    /** Another tab has written it since. */
    drop: (key: Key): boolean => unkept.delete(key),
    unkept: (): Record<string, string> => Object.fromEntries(unkept),
  }
}

const local = createStore<DeviceKey>('localStorage')
const tab = createStore<TabKey>('sessionStorage')
if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => void (key !== null && local.drop(key as DeviceKey)))

type Store<Key extends string> = Omit<ReturnType<typeof createStore<Key>>, 'drop' | 'unkept'>
/** Until somebody clears the browser. */
export const deviceMemory: Store<DeviceKey> = local
/** Until this tab is closed. */
export const tabMemory: Store<TabKey> = tab

/** What is gone with this page, unless it is carried over to the next; null where the browser keeps everything. */
export function unkept(): Carried | null {
  const values = { localStorage: local.unkept(), sessionStorage: tab.unkept() }
  return Object.values(values).some((each) => Object.keys(each).length > 0) ? values : null
}

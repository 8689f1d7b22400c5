import { DEVICE_KEYS } from '#src/device/keys.ts'
import {
  experimental_createQueryPersister,
  persistQueryClientRestore,
  persistQueryClientSubscribe,
} from '@tanstack/query-persist-client-core'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { focusManager, MutationCache, onlineManager, QueryClient } from '@tanstack/react-query'
import { delMany, get, setMany } from 'idb-keyval'
import { call, observeCalls } from '#src/api/client.ts'
import { isEarly } from '#src/api/early.ts'
import { isCallError, ServerFaultError } from '#src/api/errors.ts'
import { getNotice } from '#src/contract/home.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { cacheStore } from './cacheStore.ts'
import { heardAnswer } from '../downloads/lessons/courseAnswers.ts'
import { createProbe, PROBE_LIMIT_MS } from '../sync/probe.ts'
import { hasPacks, isPacked, type PackInput, readPacked } from '../downloads/packs/pack.ts'
import { withSpace } from './storage.ts'

/** Version of the stored data's shape. Never the build: that would wipe offline work at each release. */
const DATA_SCHEMA = '1'
const BOOT_MAX_CHARS = 50_000
/** spec.md §9: cache time 5 minutes, focus refresh every 5 s at most, back-off capped at 30 s. */
const CACHE_MS = 5 * 60_000
const FOCUS_MS = 5_000
const RETRY_CAP_MS = 30_000
const RETRIES = 2
/** A hanging disk (iOS) must not hold a screen that the network could fill. */
const READ_MS = 1_500
const BROKEN_AFTER = 3
/** In a query's key (api/query.ts). */
const PATH = 3

/**
 * React Query for this owner: `device` queries one by one in IndexedDB, `boot` queries in the localStorage snapshot.
 * @param onFailedAct told of every failed mutation: an act of the student that needed the network.
 */
export function createQueryClient(
  owner: string,
  onFailedAct: (error: unknown) => void = () => {},
  now: () => number = Date.now,
): QueryClient {
  const persister = createPersister(owner, now)
  const client = new QueryClient({
    mutationCache: new MutationCache({
      onError: (error, _, __, { meta }) => void ((meta?.told && isCallError(error)) || onFailedAct(error)),
    }),
    defaultOptions: {
      queries: {
        persister: persister.read,
        // The default would leave a cold query, and its loader, pending for ever without a network.
        networkMode: 'always',
        staleTime: CACHE_MS,
        gcTime: CACHE_MS,
        refetchOnReconnect: true,
        retry: (failures, error) => error instanceof ServerFaultError && failures < RETRIES,
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, RETRY_CAP_MS),
      },
      mutations: { networkMode: 'always' },
    },
  })
  // The persister writes what a query fetches. What a screen puts in its place (setAnswer) is newer and belongs on the device as well.
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    if (!event.action.manual) heardAnswer(event.query.queryKey[PATH], event.action.data)
    else if (event.query.meta?.keep === 'device') void persister.write(event.query)
  })
  return client
}

/** `read`: from a pack, else from the device's own row, else from the network, whose answer is kept. `write`: the row of a query. */
function createPersister(owner: string, now: () => number) {
  const persister = experimental_createQueryPersister({
    storage: safeStorage(owner, now),
    prefix: 'q',
    buster: DATA_SCHEMA,
    // How long things stay is a matter of space (storage.ts), not of age: the only offline copy never expires.
    maxAge: Number.POSITIVE_INFINITY,
    filters: { predicate: (query) => query.meta?.keep === 'device' },
    refetchOnRestore: false,
  })
  const read: typeof persister.persisterFn = async (queryFn, context, query) => {
    if (query.meta?.keep === 'device' && isEarly(String(query.queryKey[PATH]))) {
      // Opening a database that holds nothing yet would only hold it up.
      const data = await Promise.resolve(queryFn(context)).catch(() => undefined)
      if (data !== undefined) {
        setTimeout(() => void persister.persistQuery(query))
        return data
      }
    }
    const [path, input] = query.queryKey.slice(PATH)
    // What a downloaded library holds is kept there alone, and asked of nobody.
    const packed = <T>(): Promise<T | undefined> =>
      within(READ_MS, readPacked(input as PackInput) as Promise<T | undefined>).catch(() => undefined)
    const inPack = isPacked(path)
    const found = inPack && hasPacks() && (await packed<never>())
    if (found) return found
    let restored = true
    const asking: typeof queryFn = (given) => {
      restored = false
      return queryFn(given)
    }
    const data = await persister.persisterFn(asking, context, query).catch(async (error: unknown) => {
      // hasPacks() is only a mark, which a killed browser may have lost.
      const late = inPack && (await packed<never>())
      if (late) return late
      throw error
    })
    // As refetchOnRestore, which leaves a failed refetch unhandled: it is on the screen already, as state.
    if (restored) setTimeout(() => query.isStale() && void query.fetch().catch(() => {}))
    return data
  }
  return { read, write: persister.persistQuery }
}

/** The persister deletes what it fails to read and rejects when storage throws: so nothing here ever throws. */
function safeStorage(owner: string, now: () => number) {
  const store = cacheStore(owner)
  let failures = 0
  const guarded = async <T>(work: () => Promise<T>, fallback: T): Promise<T> => {
    if (failures >= BROKEN_AFTER) return fallback
    try {
      const value = await work()
      failures = 0
      return value
    } catch {
      failures++
      return fallback
    }
  }
  return {
    getItem: (key: string) => guarded(() => within(READ_MS, get<string>(key, store)), undefined),
    setItem: (key: string, value: string) =>
      guarded(
        () =>
          withSpace(
            owner,
            () =>
              setMany(
                [
                  [key, value],
                  [`i-${key.slice(2)}`, { bytes: value.length, usedAt: now() }],
                ],
                store,
              ),
            1,
          ),
        undefined,
      ),
    removeItem: (key: string) => guarded(() => delMany([key, `i-${key.slice(2)}`], store), undefined),
  }
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('storage did not answer')), ms)
    void work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/**
 * Fills the client from the boot snapshot, and keeps the snapshot until the returned function is called. Needs no IndexedDB, so the
 * first paint never waits.
 */
export async function restoreBoot(queryClient: QueryClient): Promise<() => void> {
  let isKept = true
  // The persister writes a second after a change, and has no end.
  const storage = {
    getItem: () => deviceMemory.get(DEVICE_KEYS.boot),
    setItem: (_: string, value: string): void => {
      if (isKept && value.length <= BOOT_MAX_CHARS) deviceMemory.set(DEVICE_KEYS.boot, value)
    },
    removeItem: () => deviceMemory.remove(DEVICE_KEYS.boot),
  }
  const persister = createSyncStoragePersister({ storage, key: DEVICE_KEYS.boot })
  const options = { queryClient, persister, buster: DATA_SCHEMA, maxAge: Number.POSITIVE_INFINITY }
  await persistQueryClientRestore(options).catch(() => {})
  const unsubscribe = persistQueryClientSubscribe({
    ...options,
    // By data, not by status: a failed refetch must not drop the good data that it could not replace.
    dehydrateOptions: {
      shouldDehydrateQuery: (query) => query.meta?.keep === 'boot' && query.state.data !== undefined,
    },
  })
  return () => {
    isKept = false
    unsubscribe()
  }
}

/** After a logout nothing of the student stays in the snapshot. */
export const forgetBoot = (): void => deviceMemory.remove(DEVICE_KEYS.boot)

/** What the browser and our own calls say of the network, told to React Query; and refreshes on focus, not too often. */
export function watchNetwork(now: () => number = Date.now): void {
  onlineManager.setOnline(navigator.onLine)
  const probe = createProbe({
    ask: () => void call(getNotice, {}, { timeoutMs: PROBE_LIMIT_MS, authorization: false }).catch(() => {}),
    isWanted: () => navigator.onLine && document.visibilityState === 'visible',
    now: () => performance.now(),
    random: Math.random,
  })
  observeCalls({
    reached: (answered) => {
      onlineManager.setOnline(answered)
      if (answered) probe.stop()
    },
    away: probe.start,
  })
  onlineManager.subscribe((online) => (online ? probe.stop() : probe.start()))
  document.addEventListener('visibilitychange', probe.looked)
  let lastFocus = 0
  focusManager.setEventListener((onFocus) => {
    const seen = () => {
      if (document.visibilityState !== 'visible' || now() - lastFocus < FOCUS_MS) return
      lastFocus = now()
      // Without an argument: `true` would be remembered, and the second time be no change.
      onFocus()
    }
    document.addEventListener('visibilitychange', seen)
    return () => document.removeEventListener('visibilitychange', seen)
  })
}

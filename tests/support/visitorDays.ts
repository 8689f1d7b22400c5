import { clear } from 'idb-keyval'
import { afterEach, beforeEach, vi } from 'vitest'
import { createQueryClient } from '#src/offline/device/cache.ts'
import { cacheStore } from '#src/offline/device/cacheStore.ts'
import { offline } from '#src/offline/index.ts'
import { forgetOwner } from '#src/offline/record/forget.ts'
import { session } from '#src/session/session.ts'

const DAY = 86_400_000

/**
 * Gives each test of a file of screens a day of its own, and a visitor of whom nothing is on the device but a goal: a page has one
 * owner. The real clock comes back with `setScreens`.
 * @param goal questions a day
 */
export function setVisitorDays(goal: number) {
  let client: ReturnType<typeof createQueryClient>
  let days = 0
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21, 4) + ++days * DAY })
    await forgetOwner(offline.owner)
    await clear(cacheStore(offline.owner))
    await offline.add({ kind: 'setting', payload: { name: 'dayGoal', value: goal } })
    client = createQueryClient(session.owner())
  })
  afterEach(() => client.clear())
  return {
    get client() {
      return client
    },
  }
}

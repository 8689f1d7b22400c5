import { DEVICE_KEYS } from '#src/device/keys.ts'
import { call } from '#src/api/client.ts'
import { news } from '#src/contract/news.ts'
import { packSettings } from '#src/offline/downloads/downloadSettings.ts'
import { session } from '#src/session/session.ts'
import { deviceMemory } from '#src/device/stores.ts'

/** At most four times a day. */
const EVERY_MS = 6 * 3_600_000
/** Behind whatever the screen itself still fetches. */
const LATER_MS = 2_000

/**
 * Has the worker fetch the latest news with their texts, so that they can be read without a network: quietly, seldom, and not at
 * all in 省流模式.
 */
export async function fetchLatest(now: number = Date.now()): Promise<void> {
  const { serviceWorker } = navigator
  if (!serviceWorker || !navigator.onLine || packSettings.saver()) return
  // Without a worker in charge nothing would be kept; the one of a first visit comes soon.
  await serviceWorker.ready
  const { sg_key, area } = session.scope()
  const whose = [session.owner(), sg_key, area].join()
  const [last, at] = (deviceMemory.get(DEVICE_KEYS.newsFetched) ?? '').split(' ')
  if (last === whose && now - Number(at) < EVERY_MS) return
  await new Promise((resolve) => setTimeout(resolve, LATER_MS))
  if (!serviceWorker.controller) return
  await call(news.latest, {})
  deviceMemory.set(DEVICE_KEYS.newsFetched, `${whose} ${now}`)
}

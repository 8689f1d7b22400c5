import { createStore, get, set } from 'idb-keyval'
import * as v from 'valibot'

/** What the service worker may know of the session: it cannot read localStorage. Never copied into an op. */
const Mirror = v.object({ owner: v.string(), uid: v.nullable(v.string()), token: v.string() })
export type Mirror = v.InferOutput<typeof Mirror>

let store: ReturnType<typeof createStore> | undefined
const sessionStore = () => (store ??= createStore('jk-session', 'session'))

/** Rejects where the browser refuses IndexedDB, which idb-keyval itself throws at once. */
export const writeMirror = async (mirror: Mirror): Promise<void> => set('now', mirror, sessionStore())

export async function readMirror(): Promise<Mirror | null> {
  const parsed = v.safeParse(Mirror, await get('now', sessionStore()))
  return parsed.success ? parsed.output : null
}

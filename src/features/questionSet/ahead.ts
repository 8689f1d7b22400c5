import { call } from '#src/api/client.ts'
import { RefusedError } from '#src/api/errors.ts'
import { questionSet } from '#src/contract/questionSet.ts'
import { offline } from '#src/offline/index.ts'
import { apiCache } from '#src/offline/names.ts'
import { packSettings } from '#src/offline/packSettings.ts'
import { session } from '#src/session/session.ts'
import { readPointers } from './pointer.ts'

/** Some 20 KB each as they travel. */
const PAPERS = 10

interface Place {
  no: string
  itemNo: string
}

/**
 * Has the worker fetch the papers of the student's sittings that this device does not hold: a logout takes the papers along,
 * because another student of this phone may have no right to them, and other devices never had them. Throws when the network
 * is lost on the way.
 */
export async function fetchAhead(): Promise<void> {
  const papers = await wanted()
  const kept = await keptFields()
  const isKept = (path: string, input: object) =>
    kept.some(
      ({ pathname, searchParams }) =>
        pathname === `/pcapi/${path}` &&
        Object.entries({ ...session.scope(), ...input }).every(([name, value]) => searchParams.get(name) === value),
    )
  for (const no of new Set(papers.map((paper) => paper.no)))
    if (!isKept(questionSet.detail.path, { no })) await call(questionSet.detail, { no }).catch(passRefused)
  for (const place of papers)
    if (!isKept(questionSet.paper.path, place)) await call(questionSet.paper, place).catch(passRefused)
}

/** One that the server has no more must not keep the others away. */
function passRefused(error: unknown): void {
  if (!(error instanceof RefusedError)) throw error
}

/** Those that were left first, the newest before all; with 省流模式 only they. */
async function wanted(): Promise<Place[]> {
  const [pointers, attempts] = await Promise.all([readPointers(), offline.things('attempt')])
  const left = pointers
    .filter(({ id }) => !attempts.has(id))
    .sort((a, b) => b.startedAt - a.startedAt)
    .map(({ setNo: no, itemNo }) => ({ no, itemNo }))
  const past = [...attempts.values()]
    .sort((a, b) => b.handedAt - a.handedAt)
    .map(({ paper: { no, itemNo } }) => ({ no, itemNo }))
  const all = packSettings.saver() ? left : [...left, ...past]
  return [...new Map(all.map((place) => [place.itemNo, place])).values()].slice(0, PAPERS)
}

/** What the worker holds for this student. */
async function keptFields(): Promise<URL[]> {
  const name = apiCache(offline.owner)
  if (!(await caches.has(name))) return []
  return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url))
}

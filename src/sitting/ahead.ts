import { call } from '#src/api/client.ts'
import { RefusedError } from '#src/api/errors.ts'
import { questionSet } from '#src/contract/questionSet.ts'
import { offline } from '#src/offline/index.ts'
import { apiCache } from '#src/offline/device/names.ts'
import { packSettings } from '#src/offline/downloads/downloadSettings.ts'
import { session } from '#src/session/session.ts'
import { testing } from '#src/contract/testing.ts'
import { readBegun } from './engine/drafts.ts'
import { type Place, placeOf } from './engine/sheet.ts'

/** Some 20 KB each as they travel. */
const PAPERS = 10

/**
 * Has the worker fetch the papers of the student's sittings that this device does not hold: a logout takes the papers along,
 * because another student of this phone may have no right to them, and other devices never had them. Throws when the network
 * is lost on the way.
 */
export async function fetchAhead(): Promise<void> {
  const papers = (await mine(packSettings.saver())).slice(0, PAPERS)
  const isKept = await readKept()
  for (const { of, no } of new Map(papers.map((paper) => [paper.no, paper])).values()) {
    const { detail } = of === 'set' ? questionSet : testing
    if (!isKept(detail.path, { no })) await call(detail, { no }).catch(passRefused)
  }
  for (const { of, no, itemNo } of papers) {
    const asked = of === 'set' ? { no, itemNo } : { no }
    const { path } = of === 'set' ? questionSet.paper : testing.paper
    if (isKept(path, asked)) continue
    await (of === 'set' ? call(questionSet.paper, { no, itemNo }) : call(testing.paper, { no })).catch(passRefused)
  }
}

/** One that the server has no more must not keep the others away. */
function passRefused(error: unknown): void {
  if (!(error instanceof RefusedError)) throw error
}

/** How many papers of sets this device holds of the student's sittings. */
export async function papersHere(): Promise<number> {
  const isKept = await readKept()
  const places = (await mine(false)).filter(({ of }) => of === 'set')
  return places.filter(({ no, itemNo }) => isKept(questionSet.paper.path, { no, itemNo })).length
}

/** Papers of sittings that were left, then of those handed in, the newest first. */
async function mine(leftAlone: boolean): Promise<Place[]> {
  const [begun, handedIn] = await Promise.all([readBegun(), offline.things('attempt')])
  const left = begun
    .filter(({ id }) => !handedIn.has(id))
    .sort((a, b) => b.startedAt - a.startedAt)
    .map(({ of, setNo: no, itemNo }) => ({ of, no, itemNo }))
  const past = [...handedIn.values()].sort((a, b) => b.handedAt - a.handedAt).map(({ paper }) => placeOf(paper))
  const all = leftAlone ? left : [...left, ...past]
  return [...new Map(all.map((place) => [place.itemNo, place])).values()]
}

/** Whether the worker holds an answer for this student, region and direction. */
async function readKept(): Promise<(path: string, input: object) => boolean> {
  const name = apiCache(offline.owner)
  const requests = (await caches.has(name)) ? await (await caches.open(name)).keys() : []
  const kept = requests.map(({ url }) => new URL(url))
  return (path, input) =>
    kept.some(
      ({ pathname, searchParams }) =>
        pathname === `/pcapi/${path}` &&
        Object.entries({ ...session.scope(), ...input }).every(([name, value]) => searchParams.get(name) === value),
    )
}

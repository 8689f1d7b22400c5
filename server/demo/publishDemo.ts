import { stopping } from '#server/content/draft.ts'
import { categoryClaim, FEATURES } from '#server/content/publish/publishedKinds.ts'
import { publishSources, type Source } from '#server/content/publish/publish.ts'
import { ClaimedSince, readClaims } from '#server/content/claimStore.ts'
import type { Db } from '#server/db/open.ts'

/** How the demo is published: like an operator's files, but for what an operator has published since. */
export interface DemoRun {
  db: Db
  mediaDir: string
  say: (line: string) => void
  /** All that the demo consists of, as an operator would claim it. */
  own: ReadonlySet<string>
}
interface Numbered {
  no: string
}
/** A file of the demo as far as the demo looks into it. */
type Lists = Partial<Record<(typeof LISTS)[number] | 'categories' | 'features', Numbered[]>> & Partial<Numbered>
const LISTS = ['articles', 'calendar', 'books', 'packages'] as const

/**
 * @returns whether it was published.
 * @throws Error when the demo is wrong. Where an operator has changed some of it, what builds on that may stand no longer: it stays
 * as it is, and that is said.
 */
export const publishDemo = ({ db, mediaDir, say, own }: DemoRun, source: Source): Promise<boolean> =>
  besideOperator(db, async (claims) => {
    const json = unclaimed(source.json as Lists, claims)
    if (!json) return false
    const [done] = await publishSources(db, [{ ...source, json }], { mediaDir, now: Date.now(), by: { claims } })
    const [fault] = stopping(done?.findings ?? [], false)
    if (!fault) return true
    const told = `${source.file} ${fault.at}：${fault.reason}`
    if (![...own].some((no) => claims.has(no))) throw new Error(told)
    say(`演示内容未更新：${told}`)
    return false
  })

/** Does what leaves alone what is the operator's by now; and again when they have published some of the rest meanwhile. */
export async function besideOperator<T>(db: Db, work: (claims: ReadonlySet<string>) => Promise<T>): Promise<T> {
  try {
    return await work(await readClaims(db))
  } catch (error) {
    if (error instanceof ClaimedSince) return besideOperator(db, work)
    throw error
  }
}

/** Every number in a file of the demo, as an operator would claim it. */
export function claimable(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([key, value]) =>
    key === 'no' && typeof value === 'string' ? [value, categoryClaim(value)] : claimable(value),
  )
}

/** Without what is the operator's; null: nothing is left. */
function unclaimed(json: Lists, claims: ReadonlySet<string>): Lists | null {
  if (claims.size === 0) return json
  if (json.no !== undefined) return claims.has(json.no) ? null : json
  const left = { ...json }
  for (const list of LISTS) if (json[list]) left[list] = json[list].filter(({ no }) => !claims.has(no))
  if (json.categories) left.categories = json.categories.filter(({ no }) => !claims.has(categoryClaim(no)))
  if (claims.has(FEATURES)) delete left.features
  return LISTS.some((list) => left[list]?.length) ? left : null
}

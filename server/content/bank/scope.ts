import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/open.ts'
import type { Report } from '#server/content/draft.ts'

/** Whom something is for, and where its file says so: '' is the file's top. */
interface Scoped {
  at: string
  directions: readonly string[]
  areas: readonly string[]
}

/** What is for a direction or area that there is not is for nobody, and nobody is told. */
export async function judgeScopes(db: Db | Tx, scoped: readonly Scoped[], report: Report): Promise<void> {
  const named = scoped.flatMap(({ at, directions, areas }) =>
    [['directions', '方向', directions] as const, ['areas', '地区', areas] as const].flatMap(([of, what, keys]) =>
      keys.map((key, i) => ({ of, what, key, at: `${at && `${at}.`}${of}[${i}]` })),
    ),
  )
  if (named.length === 0) return
  const { rows } = await sql<{ of: string; key: string }>`
    select 'directions' as of, key from exam_direction union all select 'areas', key from area order by key`.execute(db)
  const known = new Set(rows.map(({ of, key }) => `${of} ${key}`))
  const directions = rows.flatMap(({ of, key }) => (of === 'directions' ? [key] : [])).join('、')
  const right = {
    directions: directions === '' ? '还没有报考方向，先用 npm run site -- directions 设定' : `可以写 ${directions}`,
    areas: '请写省级行政区划代码的前两位，如 11（北京）',
  }
  for (const { of, what, key, at } of named)
    if (!known.has(`${of} ${key}`)) report('fault', at, `${what} ${key} 不存在，${right[of]}`)
}

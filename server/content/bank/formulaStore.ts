import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/open.ts'

const MATH = /<math\b[^]*?<\/math>/g
/** A formula's key by its MathML. */
export const keyOf = (mathml: string): string => hash('sha256', mathml, 'base64url')

/** Keeps what formulae were written in, by the key of the MathML that was made of it. */
export async function keepFormulae(tx: Tx, parts: Iterable<readonly { key: string; latex: string }[]>): Promise<void> {
  for (const rows of parts)
    await sql`insert into formula (key, latex)
      select key, latex from json_to_recordset(${JSON.stringify(rows)}::json) as t(key text, latex text) order by key
      on conflict (key) do nothing`.execute(tx)
}

/** The LaTeX of the formulae in some questions; null: not known. */
export async function latexIn(db: Db, questions: readonly object[]): Promise<(mathml: string) => string | null> {
  const texts: string[] = []
  JSON.stringify(questions, (_, value: unknown) => {
    if (typeof value === 'string') texts.push(value)
    return value
  })
  const keys = [...new Set(texts.flatMap((text) => [...text.matchAll(MATH)].map(([mathml]) => keyOf(mathml))))]
  const rows = keys.length === 0 ? [] : await db.selectFrom('formula').selectAll().where('key', 'in', keys).execute()
  const known = new Map(rows.map(({ key, latex }) => [key, latex]))
  return (mathml) => known.get(keyOf(mathml)) ?? null
}

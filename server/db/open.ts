import { Kysely, type Transaction, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { migrations } from './migrations/index.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

// Times and counters stay far below 2^53, so bigint is read as a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Where the database is: a connection URL, or the socket folder of the embedded server. */
export type Address = { url: string } | { socketFolder: string; database?: string }

/**
 * Opens a pool and brings the schema up to date under the migrator's own lock, so any number of processes may start at once.
 * @param onError told of connections that break while idle; the pool replaces them, so it is news, not a failure.
 */
export async function openDatabase(address: Address, onError: (error: Error) => void, max = 16): Promise<Db> {
  const pool = new pg.Pool({
    ...('url' in address
      ? { connectionString: address.url }
      : { host: address.socketFolder, user: 'postgres', database: address.database ?? 'postgres' }),
    max,
    connectionTimeoutMillis: 10_000,
  })
  pool.on('error', onError)
  // A connection that breaks while it is lent out reports here too, and an unheard 'error' would end the process.
  pool.on('connect', (client) => {
    client.on('error', onError)
    prepare(client)
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
    if (error) throw error
  } catch (error) {
    await db.destroy()
    throw error
  }
  return db
}

const names = new Map<string, string>()
/** Lists of other lengths make other statements; a connection must not keep thousands. */
const PREPARED_MAX = 200

/**
 * Gives each statement with parameters a name, so that a connection parses and plans it once. Planning the statement that reads
 * a batch takes longer than running it. (A pooler in transaction mode must know prepared statements: PgBouncer since 1.21.)
 */
function prepare(client: pg.PoolClient): void {
  const query = client.query.bind(client)
  const named = (text: unknown, values?: unknown[]): unknown => {
    if (typeof text !== 'string' || !values?.length) return query(text as string, values)
    const name = names.get(text) ?? (names.size < PREPARED_MAX ? `s${names.size}` : undefined)
    if (name) names.set(text, name)
    return query({ text, values, ...(name && { name }) })
  }
  client.query = named as typeof client.query
}

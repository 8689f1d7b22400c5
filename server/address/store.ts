import { sql } from 'kysely'
import type { Address } from '#src/contract/address.ts'
import type { Region } from '#src/domain/address/regions.ts'
import type { Db, Tx } from '#server/db/open.ts'

/** Every statement names the student: another one's address is as if it were not there. */
const ofStudent = (db: Db | Tx, uid: string) => db.selectFrom('address').where('uid', '=', uid)
const COLUMNS = ['id', 'name', 'mobile', 'place', 'detail', 'is_default'] as const

interface Row {
  id: string
  name: string
  mobile: string
  place: Region
  detail: string
  is_default: boolean
}
const toWire = ({ place, is_default, ...rest }: Row): Address => ({ ...rest, ...place, isDefault: is_default })

export async function readAddresses(db: Db | Tx, uid: string): Promise<Address[]> {
  const rows = await ofStudent(db, uid)
    .select(COLUMNS)
    .orderBy('is_default', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toWire)
}

/** Null: there is none, or it is not this student's. */
export async function readAddress(db: Db | Tx, uid: string, id: string): Promise<Address | null> {
  const row = await ofStudent(db, uid).select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return row ? toWire(row) : null
}

/** Until the transaction ends no other changes this student's addresses: what one has counted stays so, and one is the default. */
export const holdAddresses = async (tx: Tx, uid: string): Promise<void> =>
  void (await tx.selectFrom('student').select('uid').where('uid', '=', uid).forNoKeyUpdate().execute())

/** Writes it as it is given, whether it was there or not; a default one takes the place of the one before. */
export async function writeAddress(tx: Tx, uid: string, address: Address, at: number): Promise<void> {
  const { id, name, mobile, detail, isDefault, province, city, district } = address
  if (isDefault) await tx.updateTable('address').set({ is_default: false }).where('uid', '=', uid).execute()
  const values = { name, mobile, detail, is_default: isDefault, place: JSON.stringify({ province, city, district }) }
  await tx
    .insertInto('address')
    .values({ uid, id, created_at: at, ...values })
    .onConflict((conflict) => conflict.columns(['uid', 'id']).doUpdateSet(values))
    .execute()
}

/** False: there is none, or it is not this student's. The newest of the others takes the place of a default one. */
export async function deleteAddress(tx: Tx, uid: string, id: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom('address')
    .where('uid', '=', uid)
    .where('id', '=', id)
    .returning('is_default')
    .executeTakeFirst()
  if (gone?.is_default)
    await sql`update address set is_default = true where uid = ${uid}
      and id = (select id from address where uid = ${uid} order by created_at desc, id desc limit 1)`.execute(tx)
  return gone !== undefined
}

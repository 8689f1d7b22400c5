import type { Address } from '#src/contract/address.ts'
import type { Db, Tx } from '#server/db/open.ts'

export const readAddress = async (_db: Db | Tx, _uid: string, _id: string): Promise<Address | null> => null
export const readAddresses = async (_db: Db | Tx, _uid: string): Promise<Address[]> => []

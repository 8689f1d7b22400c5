import type { QueryClient } from '@tanstack/react-query'
import { query, setAnswer } from '#src/api/query.ts'
import { type Address, address } from '#src/contract/address.ts'
import { WHEREVER } from '#src/sale/seen.tsx'

export const addressQuery = () => ({ ...query(address.myAddress, {}, WHEREVER), staleTime: 0 })
/** Each change answers with all there are then. */
export function showAddresses(client: QueryClient, all: Address[]): void {
  setAnswer(client, addressQuery(), all)
  void client.invalidateQueries(addressQuery())
}

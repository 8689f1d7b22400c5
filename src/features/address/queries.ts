import type { QueryClient } from '@tanstack/react-query'
import { query } from '#src/api/query.ts'
import { type Address, address } from '#src/contract/address.ts'
import { WHEREVER } from '#src/sale/seen.tsx'

export const addressQuery = () => ({ ...query(address.myAddress, {}, WHEREVER), staleTime: 0 })
/** Each change answers with all there are then; what the device keeps is what it was asked for. */
export function showAddresses(client: QueryClient, all: Address[]): void {
  client.setQueryData(addressQuery().queryKey, all)
  void client.invalidateQueries(addressQuery())
}

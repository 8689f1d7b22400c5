import type { QueryClient } from '@tanstack/react-query'
import { query } from '#src/api/query.ts'
import { type Address, address } from '#src/contract/address.ts'

export const addressQuery = () => query(address.myAddress, {})
/** Each change answers with all there are then. */
export const showAddresses = (client: QueryClient, all: Address[]): void =>
  void client.setQueryData(addressQuery().queryKey, all)

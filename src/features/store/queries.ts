import { query } from '#src/api/query.ts'
import { store } from '#src/contract/store.ts'

export const bookListQuery = () => query(store.list, {})
export const bookQuery = (no: string) => query(store.detail, { no })

import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { readAgreement } from './store.ts'

export const agreementHandlers = (db: Db): Handlers<Contract['agreement']> => ({
  async read({ kind, version }) {
    const found = await readAgreement(db, kind, version)
    if (!found) throw new Refusal('没有这个版本，请查看现行版本')
    return found
  },
})

import * as v from 'valibot'
import { endpoint } from './endpoint.ts'

/** What the operator sets by PRODUCT_NAME and SITE_*; shown in titles and the footer. */
const Site = v.object({
  productName: v.string(),
  phone: v.string(),
  chatId: v.string(),
  address: v.string(),
  copyright: v.string(),
  /** Filing number, linked to the registry's site. */
  filingNo: v.string(),
})
export type Site = v.InferOutput<typeof Site>

export const config = {
  getSite: endpoint({ path: 'config/getSite', access: 'open', keep: 'boot', input: v.object({}), output: Site }),
}

import * as v from 'valibot'
import { endpoint } from './endpoint.ts'

/** The product's own name, where the operator sets no other: index.html and the manifest say it as it stands here. */
export const PRODUCT_NAME = '砺剑军考'

/** What the operator sets by `npm run site`, else by SITE_*; most of it is shown in the footer. */
export const Site = v.object({
  phone: v.string(),
  chatId: v.string(),
  address: v.string(),
  copyright: v.string(),
  /** Filing number, linked to the registry's site. */
  filingNo: v.string(),
  /** Where documents may come from besides this site, as `https://host`; left out: nowhere. */
  bucket: v.optional(v.string()),
})
export type Site = v.InferOutput<typeof Site>

export const getSite = endpoint({
  path: 'config/getSite',
  access: 'open',
  keep: 'boot',
  input: v.object({}),
  output: Site,
})

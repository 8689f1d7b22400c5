import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { EpochMs, Html } from './scalar.ts'

/** A student uploads a picture with these keys; they end soon and reach nothing but the student's own prefix. */
export const UploadKeys = v.object({
  tempKeys: v.object({
    credentials: v.object({ tmpSecretId: v.string(), tmpSecretKey: v.string(), sessionToken: v.string() }),
    /** Seconds, by the server's clock. */
    startTime: v.number(),
    expiredTime: v.number(),
  }),
  cos: v.object({
    bucket: v.string(),
    region: v.string(),
    /** A file's key begins with it; what makes the file one of its kind follows, then its own name. */
    prefix: v.string(),
    /** Where the bucket is, unless at the address that bucket and region make: `https://host/path`, or a path of this site. */
    base: v.optional(v.string()),
  }),
})
export type UploadKeys = v.InferOutput<typeof UploadKeys>

export const getCosImgSig = endpoint({
  path: 'config/getCosImgSig',
  access: 'user',
  keep: 'nowhere',
  input: v.object({}),
  output: UploadKeys,
})

/** 平台承诺 */
const SitePromise = v.object({
  title: v.string(),
  html: Html,
  /** Since when the operator has it so, epoch ms; null: it is the product's own. */
  at: v.nullable(EpochMs),
})
export type SitePromise = v.InferOutput<typeof SitePromise>

export const getPromise = endpoint({
  path: 'config/getPromise',
  access: 'open',
  keep: 'worker',
  input: v.object({}),
  output: SitePromise,
})

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
  /** It names who runs the site, as the business licence does. */
  company: v.optional(v.string()),
  /** These are numbers of other licences (domain/app/licences.ts); left out or '': there is none to show. */
  policeNo: v.optional(v.string()),
  telecomNo: v.optional(v.string()),
  publicationNo: v.optional(v.string()),
  licenceNo: v.optional(v.string()),
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

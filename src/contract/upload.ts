import * as v from 'valibot'
import { endpoint } from './endpoint.ts'

/** What a student uploads a picture with: keys that end soon and reach nothing but the student's own prefix. */
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
    /** What a file's key begins with; behind it stands what makes the file one of its kind, then its own name. */
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

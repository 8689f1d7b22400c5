import { PICTURE_MAX_BYTES } from '#src/domain/app/picture.ts'
import { KEY_SECONDS, keyAt, pathOf, type Storage } from './storage.ts'

export interface TencentAccount {
  /** As `name-appid`. */
  bucket: string
  region: string
  secretId: string
  secretKey: string
  /** A domain of the operator's own that leads to the bucket. */
  domain?: string
  /** Where Tencent's STS is: its own place, unless a test stands in for it. */
  stsHost?: string
}

/** What cos-js-sdk-v5 asks for to upload one file, in one go or in parts; nothing reads, lists others' or deletes. */
const ACTIONS = [
  'name/cos:PutObject',
  'name/cos:InitiateMultipartUpload',
  'name/cos:ListMultipartUploads',
  'name/cos:ListParts',
  'name/cos:UploadPart',
  'name/cos:CompleteMultipartUpload',
  'name/cos:AbortMultipartUpload',
]
const LOOK_MS = 10_000

/** Tencent COS. The bucket must allow reading by everybody (public-read) and this site (CORS, exposing ETag). */
export function tencentStorage(account: TencentAccount): Storage {
  const { bucket, region, secretId, secretKey, stsHost } = account
  const origin = `https://${account.domain ?? `${bucket}.cos.${region}.myqcloud.com`}`
  const addressOf = (key: string) => `${origin}/${pathOf(key)}`
  return {
    async issue({ prefix }) {
      // Whoever has no account there never loads it.
      const { default: sts } = await import('qcloud-cos-sts')
      const policy = sts.getPolicy([{ action: ACTIONS, bucket, region, prefix: `${prefix}*` }])
      const { credentials, startTime, expiredTime } = await sts.getCredential({
        secretId,
        secretKey,
        policy,
        region,
        durationSeconds: KEY_SECONDS,
        ...(stsHost !== undefined && { endpoint: stsHost }),
      })
      return {
        tempKeys: { credentials, startTime, expiredTime },
        cos: { bucket, region, prefix, ...(account.domain !== undefined && { base: origin }) },
      }
    },
    keyOf: (address) => {
      const url = URL.parse(address)
      return url?.origin === origin ? keyAt(url.pathname, '/') : null
    },
    addressOf,
    origins: [origin],
    async holds(key) {
      const answer = await fetch(addressOf(key), { method: 'HEAD', signal: AbortSignal.timeout(LOOK_MS) })
      const type = answer.headers.get('content-type') ?? ''
      return (
        answer.ok &&
        /^image\/(jpeg|png|webp)$/.test(type) &&
        Number(answer.headers.get('content-length')) <= PICTURE_MAX_BYTES
      )
    },
    // Our keys cannot delete: a lifecycle rule of the bucket ends what is old, if the operator wants that.
    remove: async () => {},
    allOf: async () => async () => {},
  }
}

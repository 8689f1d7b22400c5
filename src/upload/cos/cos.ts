import COS from 'cos-js-sdk-v5'
import type { UploadKeys } from '#src/contract/config.ts'
import { fileKey } from '../fileKey.ts'
import { dropKeys, type Ring } from '../keys.ts'
import { faultOf, type Heard, notSent, type Sending } from '../sending.ts'

/** In a file of its own, fetched by whoever uploads: the SDK weighs more than all else of a screen. */

const MB = 1024 * 1024
/** Every figure of spec.md §9 that can be set; the others are the SDK's own (tests/upload/constants.test.ts). */
export const STORAGE_OPTIONS = {
  ChunkSize: MB,
  /** A larger file is sent in parts. */
  SliceSize: MB,
  ChunkParallelLimit: 3,
  FileParallelLimit: 3,
  /** Of a part, besides the three of every request. */
  ChunkRetryTimes: 2,
  CopyChunkSize: 10 * MB,
  CopySliceSize: 10 * MB,
  CopyChunkParallelLimit: 20,
  MaxPartNumber: 10_000,
  UploadIdCacheLimit: 50,
  UploadQueueSize: 10_000,
  ProgressInterval: 1_000,
  TrackerDelay: 5_000,
  CorrectClockSkew: true,
  ForceSignHost: true,
} satisfies COS.COSOptions
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/
/** https everywhere but on this very machine. */
const protocolOf = (at: URL): string => (LOOPBACK.test(at.hostname) ? at.protocol : 'https:')

/** Where the bucket is, for the SDK; nothing to say of Tencent's own addresses. */
function placeOf({ base }: UploadKeys['cos']): { Protocol: string; Domain?: string } {
  if (base === undefined) return { Protocol: 'https:' }
  const at = new URL(base, window.location.href)
  return { Protocol: protocolOf(at), Domain: at.host + at.pathname.replace(/\/$/, '') }
}

/** One client a student: its queue holds what is sent side by side to three files, and its keys are theirs. */
let client: { ring: Ring; cos: COS } | null = null
async function clientOf(ring: Ring): Promise<{ cos: COS; keys: UploadKeys }> {
  const keys = await ring.take()
  if (client?.ring !== ring) client = { ring, cos: makeCos(ring, keys) }
  return { cos: client.cos, keys }
}

const makeCos = (ring: Ring, { cos }: UploadKeys): COS =>
  new COS({
    ...STORAGE_OPTIONS,
    ...placeOf(cos),
    getAuthorization: (_, give) => {
      ring.fault = null
      void ring.take().then(
        ({ tempKeys: { credentials, startTime, expiredTime } }) =>
          give({
            TmpSecretId: credentials.tmpSecretId,
            TmpSecretKey: credentials.tmpSecretKey,
            SecurityToken: credentials.sessionToken,
            // By the server's clock: a phone's own may be wrong by hours.
            StartTime: startTime,
            ExpiredTime: expiredTime,
          }),
        (error: unknown) => {
          ring.fault = error
          // The SDK has no way to be told of it: it gives up where there is no key.
          give({ TmpSecretId: '', TmpSecretKey: '', SecurityToken: '', StartTime: 0, ExpiredTime: 0 })
        },
      )
    },
  })

/** Resolves when the SDK has the file. @throws what asking for keys throws (api/errors.ts) */
export async function send(file: File, ring: Ring, heard: Heard): Promise<Sending> {
  const { cos, keys } = await clientOf(ring)
  const { bucket: Bucket, region: Region, prefix } = keys.cos
  const at = { Bucket, Region, Key: prefix + (await fileKey(file)) }
  let taskId = ''
  const follow = ({ list }: { list: COS.TaskList }) => {
    const state = list.find(({ id }) => id === taskId)?.state
    if (state === 'waiting' || state === 'checking' || state === 'uploading' || state === 'paused') heard.state(state)
  }
  cos.on('list-update', follow)
  const unfollow = () => cos.off('list-update', follow)
  const ended = (error: COS.CosError, data?: COS.UploadFileResult) => {
    unfollow()
    if (!error && data) return heard.done(`${placeOf(keys.cos).Protocol}//${data.Location}`)
    const fault = ring.fault === null ? faultOf(error?.statusCode ?? 0, error?.code ?? '') : notSent(ring.fault)
    // Others may be good: these are not tried again.
    if (fault.kind === 'expired') dropKeys()
    heard.fail(fault)
  }
  cos.uploadFile(
    {
      ...at,
      Body: file,
      onTaskReady: (id) => (taskId = id),
      onProgress: ({ percent }) => heard.part(percent),
    },
    ended,
  )
  return {
    pause: () => cos.pauseTask(taskId),
    resume: () => cos.restartTask(taskId),
    stop: (parts) => {
      unfollow()
      cos.cancelTask(taskId)
      if (parts === 'forget' && file.size > STORAGE_OPTIONS.SliceSize)
        // What is left there a day later is swept away anyhow.
        cos.abortUploadTask({ ...at, Level: 'file' }, () => {})
    },
  }
}

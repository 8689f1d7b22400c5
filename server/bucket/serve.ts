import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PICTURE_MAX_BYTES } from '#src/domain/app/picture.ts'
import { pathOf } from '#server/outside/storage.ts'
import { troubleOf } from '#server/db/troubles.ts'
import type { LogTrouble } from '../http/faults.ts'
import { sendFile } from '../http/ranges.ts'
import { BUCKET, BUCKET_PATH, type EmbeddedParts } from './embedded.ts'
import { BucketFault } from './fault.ts'
import { type BucketFiles, filesIn } from './files.ts'
import { readToken } from './keys.ts'
import { checkSignature } from './signature.ts'
import { findObject, isKeyOf, listUploads } from './store.ts'
import { type BucketUploads, bucketUploads, type Owner } from './uploads.ts'
import { readParts, toXml, type Tree } from './xml.ts'

interface ServedBucket extends EmbeddedParts {
  now: () => number
  logTrouble: LogTrouble
}
interface Call {
  key: string
  query: [name: string, value: string][]
  request: FastifyRequest
  reply: FastifyReply
}

const METHODS = 'GET, HEAD, PUT, POST, DELETE'
/** What the SDK sends; `*` would not name Authorization. */
const HEADERS =
  'authorization, cache-control, content-type, content-md5, x-cos-security-token, x-cos-sdk-retry, x-cos-storage-class'
const DAY_S = 86_400
/** Three files of three parts each is what one page sends at a time. */
const AT_ONCE = 12
const LIST_MAX_BYTES = 64 * 1024

/** As much of Tencent's COS as cos-js-sdk-v5 needs to upload a picture, and reading for everybody who has its address. */
export function serveBucket(app: FastifyInstance, parts: ServedBucket): void {
  const files = filesIn(parts.folder)
  const uploads = bucketUploads(parts.db, files, parts.now)
  const busy = new Map<string, number>()
  void app.register(async (bucket) => {
    // Bodies stay streams: a picture is never whole in memory.
    bucket.removeAllContentTypeParsers()
    bucket.addContentTypeParser('*', (_, payload, done) => done(null, payload))
    bucket.addHook('onRequest', async (request, reply) => {
      void reply.headers({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'ETag, Content-Length, Date, x-cos-request-id',
        'x-cos-request-id': request.id,
      })
    })
    bucket.setErrorHandler((error: Error & { statusCode?: number }, request, reply) =>
      fail(error, request, reply, parts),
    )
    bucket.options(`${BUCKET_PATH}/*`, (_, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': METHODS,
          'access-control-allow-headers': HEADERS,
          'access-control-max-age': DAY_S,
        })
        .send(),
    )
    bucket.route({
      method: ['GET', 'PUT', 'POST', 'DELETE'],
      url: `${BUCKET_PATH}/*`,
      handler: async (request, reply) => {
        const call = read(request, reply)
        const { method } = request
        if ((method === 'GET' || method === 'HEAD') && call.query.length === 0) return sendObject(call, parts, files)
        const owner = authorise(call, parts)
        const count = busy.get(owner.uid) ?? 0
        if (count >= AT_ONCE) throw new BucketFault('SlowDown')
        busy.set(owner.uid, count + 1)
        try {
          return await act(call, owner, uploads, parts)
        } finally {
          const left = (busy.get(owner.uid) ?? 1) - 1
          if (left > 0) busy.set(owner.uid, left)
          else busy.delete(owner.uid)
        }
      },
    })
  })
}

/** Read from the address as it was sent: the signature is over these very characters, decoded once. */
function read(request: FastifyRequest, reply: FastifyReply): Call {
  const [path = '', search = ''] = (request.raw.url ?? '').split(/\?(.*)/s)
  try {
    const key = decodeURIComponent(path.slice(BUCKET_PATH.length + 1))
    return { key, query: [...new URLSearchParams(search)], request, reply }
  } catch {
    throw new BucketFault('InvalidURI')
  }
}

/** @throws BucketFault unless these are keys of ours, still good, for a name under their own prefix. */
function authorise({ key, query, request }: Call, { secret, origin, now }: ServedBucket): Owner {
  const headers = { ...(request.headers as Record<string, string | undefined>) }
  if (origin !== undefined) headers.host = new URL(origin).host
  const token = readToken(secret, headers['x-cos-security-token'] ?? '')
  if (!token) throw new BucketFault('InvalidAccessKeyId')
  const nowS = now() / 1000
  const signed = { method: request.method, path: `/${key}`, query, headers }
  checkSignature({ ...signed, authorization: headers.authorization ?? '' }, token.keys, nowS)
  if (token.holder.end < nowS) throw new BucketFault('ExpiredToken')
  // A list is asked of the bucket, with the key that is looked for as its prefix.
  const reached = key === '' ? valueOf(query, 'prefix') : key
  if (!isKeyOf(token.holder.prefix, reached)) throw new BucketFault('AccessDenied')
  return { uid: token.holder.uid, key: reached }
}

const valueOf = (query: Call['query'], name: string): string => query.find(([one]) => one === name)?.[1] ?? ''

/** The one operation that method and parameters name, of those the keys are for. */
async function act(call: Call, owner: Owner, uploads: BucketUploads, { db }: ServedBucket): Promise<FastifyReply> {
  const { query, request, reply, key } = call
  const has = (name: string) => query.some(([one]) => one === name)
  const id = valueOf(query, 'uploadId')
  switch (`${request.method} ${has('uploads') ? 'uploads' : has('uploadId') ? 'upload' : 'object'}`) {
    case 'PUT object':
      return done(reply, (await uploads.put(owner, bodyOf(request))).etag)
    case 'PUT upload':
      return done(reply, (await uploads.part(owner, id, Number(valueOf(query, 'partNumber')), bodyOf(request))).etag)
    case 'POST uploads':
      return xml(reply, {
        InitiateMultipartUploadResult: { Bucket: BUCKET, Key: key, UploadId: await uploads.begin(owner) },
      })
    case 'GET uploads':
      if (key !== '') break
      return xml(reply, { ListMultipartUploadsResult: listed(await listUploads(db, owner.uid, owner.key)) })
    case 'GET upload':
      return xml(reply, { ListPartsResult: listedParts(owner.key, id, await uploads.parts(owner, id)) })
    case 'POST upload': {
      const etag = await uploads.complete(owner, id, readParts(await text(bodyOf(request, LIST_MAX_BYTES).stream)))
      return xml(reply, { CompleteMultipartUploadResult: { Bucket: BUCKET, Key: key, ETag: `"${etag}"` } })
    }
    case 'DELETE upload':
      await uploads.abort(owner, id)
      return reply.code(204).send()
  }
  throw new BucketFault('MethodNotAllowed')
}

const listed = (rows: readonly { id: string; key: string; at: number }[]): Tree => ({
  Bucket: BUCKET,
  IsTruncated: 'false',
  Upload: rows.map(({ id, key, at }) => ({
    Key: key,
    UploadId: id,
    StorageClass: 'STANDARD',
    Initiated: new Date(at).toISOString(),
  })),
})
const listedParts = (key: string, id: string, parts: Awaited<ReturnType<BucketUploads['parts']>>): Tree => ({
  Bucket: BUCKET,
  Key: key,
  UploadId: id,
  IsTruncated: 'false',
  Part: parts.map(({ part, etag, size }) => ({ PartNumber: part, ETag: `"${etag}"`, Size: size })),
})

function bodyOf(request: FastifyRequest, max = PICTURE_MAX_BYTES): { stream: Readable; size: number } {
  const { 'content-length': length, 'content-encoding': encoding } = request.headers
  if (length === undefined) throw new BucketFault('MissingContentLength')
  // What is sent packed has another length than it says.
  if (encoding !== undefined) throw new BucketFault('InvalidArgument')
  const size = Number(length)
  if (size > max) throw new BucketFault('EntityTooLarge')
  // Without a type there is no parser either, and the request itself is the body.
  return { stream: (request.body as Readable | undefined) ?? request.raw, size }
}

const xml = (reply: FastifyReply, tree: Tree): FastifyReply =>
  reply.header('cache-control', 'no-store').type('application/xml; charset=utf-8').send(toXml(tree))
const done = (reply: FastifyReply, etag: string): FastifyReply => reply.header('etag', `"${etag}"`).send('')

async function sendObject(
  { key, request, reply }: Call,
  { db }: ServedBucket,
  files: BucketFiles,
): Promise<FastifyReply> {
  const object = await findObject(db, key)
  if (!object) throw new BucketFault('NoSuchKey')
  const name = pathOf(key.split('/').at(-1) ?? '')
  void reply.type(object.type).headers({
    // Its folder is the hash of its content: another picture has another address.
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-disposition': `inline; filename*=UTF-8''${name}`,
  })
  return sendFile(request, reply, { at: files.at(object.file), size: object.size, etag: `"${object.etag}"` })
}

/** Answers as COS does. After a fault that passes the SDK tries again; what was not meant for the student is logged and hidden. */
function fail(
  raised: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  { now, logTrouble }: ServedBucket,
): FastifyReply {
  const trouble = raised instanceof BucketFault ? null : troubleOf(raised)
  if (trouble !== null) logTrouble(request.log, raised, trouble)
  const error = trouble === null ? raised : new BucketFault('ServiceUnavailable')
  const known = error instanceof BucketFault
  if (!known)
    request.log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'bucket failed')
  // A body that is not read to its end would be taken for the next request.
  if (known && error.code === 'EntityTooLarge') void reply.header('connection', 'close')
  return xml(reply.code(known ? error.statusCode : 500), {
    Error: {
      Code: known ? error.code : 'InternalError',
      Message: known ? error.message : 'InternalError',
      Resource: request.raw.url?.split('?')[0] ?? '',
      RequestId: request.id,
      // By which the SDK sets its clock right.
      ServerTime: new Date(now()).toISOString(),
    },
  })
}

import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A part of a file, both ends included, in bytes. */
export interface Part {
  start: number
  end: number
}
export interface ServedFile {
  /** Path on the disk. */
  at: string
  /** In bytes. */
  size: number
  /** Strong, with its quotes: it changes whenever a byte of the file does, or parts of two files would be put together. */
  etag: string
}

/**
 * The part of a file that a Range header asks for (RFC 9110 §14). What it does not ask for rightly is not refused, it is answered
 * with the whole: a unit we do not know, an end before its start, several parts at once.
 */
export function partOf(header: string | undefined, size: number): Part | 'whole' | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? []
  // An empty file has no part that could be named.
  if ((first === '' && last === '') || size === 0) return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'whole'
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/**
 * Answers with a file, or with the part of it that was asked for (206), or that there is no such part (416), or that the asker has
 * it already (304). Type and every other header are the caller's. HEAD is answered as GET without a range, as the standard says.
 */
export function sendFile(request: FastifyRequest, reply: FastifyReply, { at, size, etag }: ServedFile): FastifyReply {
  void reply.header('accept-ranges', 'bytes').header('etag', etag)
  if (knows(request.headers['if-none-match'], etag)) return reply.code(304).send()
  const part =
    request.method === 'GET' && isStill(request.headers['if-range']?.toString(), etag)
      ? partOf(request.headers.range, size)
      : 'whole'
  if (part === 'unsatisfiable')
    return reply
      .code(416)
      .header('content-range', `bytes */${size}`)
      .header('cache-control', 'no-store')
      .type('text/plain; charset=utf-8')
      .send('没有这一段')
  if (part === 'whole') {
    void reply.header('content-length', size)
    // Given no body at all, the framework would say that the file has none.
    return reply.send(request.method === 'HEAD' ? Readable.from([]) : createReadStream(at))
  }
  return reply
    .code(206)
    .header('content-range', `bytes ${part.start}-${part.end}/${size}`)
    .header('content-length', part.end - part.start + 1)
    .send(createReadStream(at, part))
}

const knows = (header: string | undefined, etag: string): boolean =>
  header === '*' || (header?.split(',').some((known) => known.trim().replace(/^W\//, '') === etag) ?? false)

/** Whoever goes on with what it has of another version is given the whole; so is one that knows it only by its date. */
const isStill = (ifRange: string | undefined, etag: string): boolean => ifRange === undefined || ifRange === etag

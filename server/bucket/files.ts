import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BucketFault } from './fault.ts'
import type { StoredFile } from './store.ts'

const HEAD_BYTES = 12
const DAY_MS = 86_400_000
/** The phone has lost its network: nobody hears the answer, and it is no fault of ours. */
const LOST = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Files on the disk, under names of their own: no text of a student ever becomes a path. */
export const filesIn = (folder: string) => ({
  at: (file: string): string => path.join(folder, file),

  /** Writes what comes, piece by piece. @throws BucketFault when it is not `size` bytes long. */
  async receive(body: Readable, size: number): Promise<StoredFile> {
    await mkdir(folder, { recursive: true })
    const file = randomBytes(16).toString('hex')
    const hash = createHash('md5')
    let had = 0
    const counted = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        had += chunk.length
        if (had > size) throw new BucketFault('EntityTooLarge')
        hash.update(chunk)
        yield chunk
      }
    }
    try {
      await pipeline(body, counted, createWriteStream(path.join(folder, file)))
      if (had !== size) throw new BucketFault('IncompleteBody')
    } catch (error) {
      await rm(path.join(folder, file), { force: true })
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      throw LOST.has(code) ? new BucketFault('IncompleteBody') : error
    }
    return { file, size, etag: hash.digest('hex') }
  },

  /** One file of all these, in their order; none when one of them is gone. */
  async join(parts: readonly StoredFile[]): Promise<string> {
    const file = randomBytes(16).toString('hex')
    try {
      for (const part of parts)
        await pipeline(
          createReadStream(path.join(folder, part.file)),
          createWriteStream(path.join(folder, file), { flags: 'a' }),
        )
    } catch (error) {
      await rm(path.join(folder, file), { force: true })
      throw error
    }
    return file
  },

  async head(file: string): Promise<Uint8Array> {
    const handle = await open(path.join(folder, file))
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  },

  async remove(files: readonly string[]): Promise<void> {
    for (const file of files) await rm(path.join(folder, file), { force: true })
  },

  /** Files that have lain here for a day: by then whatever wrote them has said so, or has died. */
  async old(now: number): Promise<string[]> {
    const names = await readdir(folder).catch((): string[] => [])
    const old: string[] = []
    for (const name of names) {
      const info = await stat(path.join(folder, name)).catch(() => null)
      if (info && info.mtimeMs < now - DAY_MS) old.push(name)
    }
    return old
  },
})
export type BucketFiles = ReturnType<typeof filesIn>

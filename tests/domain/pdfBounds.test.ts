import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { boundBuffers, MOST_BUFFER } from '#src/domain/app/pdfBounds.ts'

function bounded() {
  const told: string[] = []
  const { Uint8Array: Bytes, DecompressionStream: Inflate } = boundBuffers(globalThis, () => told.push('too much'))
  if (!Inflate) throw new Error('this browser inflates nothing')
  const inflate = async (bytes: Uint8Array<ArrayBuffer>): Promise<number> => {
    const { readable, writable } = new Inflate('deflate')
    const writer = writable.getWriter()
    // As pdf.js does: all at once, and nobody waits for it.
    writer.write(bytes).catch(() => {})
    writer.close().catch(() => {})
    const reader = readable.getReader()
    for (let total = 0; ;) {
      const { done, value } = await reader.read()
      if (done) return total
      total += value?.length ?? 0
    }
  }
  return { Bytes, inflate, told }
}
const zeros = (bytes: number) => new Uint8Array(deflateSync(Buffer.alloc(bytes)))

test('a buffer is had up to the bound, and a larger one is told and refused', () => {
  const { Bytes, told } = bounded()
  const some = new Bytes(1000)
  expect(some).toHaveLength(1000)
  expect(some instanceof Bytes && some instanceof Uint8Array).toBe(true)
  expect(Bytes.from([1, 2])).toEqual(new Uint8Array([1, 2]))
  expect(new Bytes(some.buffer, 10, 5)).toHaveLength(5)
  expect(new Bytes(MOST_BUFFER)).toHaveLength(MOST_BUFFER)
  expect(told).toEqual([])
  expect(() => new Bytes(MOST_BUFFER + 1)).toThrow(RangeError)
  expect(told).toEqual(['too much'])
})

test('a stream inflates up to the bound, and no further', async () => {
  const { inflate, told } = bounded()
  expect(await inflate(zeros(20_000_000))).toBe(20_000_000)
  expect(told).toEqual([])
  await expect(inflate(zeros(MOST_BUFFER + 1))).rejects.toThrow(RangeError)
  expect(told).toEqual(['too much'])
})

test('buffers together are bounded, too', () => {
  const { Bytes, told } = bounded()
  const held = Array.from({ length: 5 }, () => new Bytes(100 * 1024 ** 2))
  expect(told).toEqual([])
  expect(() => new Bytes(100 * 1024 ** 2)).toThrow(RangeError)
  expect([held.length, told]).toEqual([5, ['too much']])
})

test('streams that inflate at the same time are bounded together, and what is read to its end counts no more', async () => {
  const { inflate, told } = bounded()
  const one = zeros(100 * 1024 ** 2)
  for (let i = 0; i < 8; i++) await inflate(one)
  expect(told).toEqual([])
  const all = await Promise.allSettled(Array.from({ length: 8 }, () => inflate(one)))
  expect(all.some(({ status }) => status === 'rejected')).toBe(true)
  expect(told).not.toEqual([])
})

test('a damaged stream fails as it does without bounds', async () => {
  const { inflate, told } = bounded()
  await expect(inflate(zeros(5_000_000).fill(7, 2000, 2100))).rejects.toThrow(TypeError)
  expect(told).toEqual([])
})

test('of a damaged stream nothing counts any more', async () => {
  const { inflate, told } = bounded()
  const damaged = zeros(100 * 1024 ** 2).fill(7, -2000, -1900)
  for (let i = 0; i < 6; i++) await expect(inflate(damaged)).rejects.toThrow(TypeError)
  expect(await inflate(zeros(100 * 1024 ** 2))).toBe(100 * 1024 ** 2)
  expect(told).toEqual([])
})

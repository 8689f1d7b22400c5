import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PING, TOO_MUCH } from '#src/domain/app/pdfBounds.ts'
import { watchWorker } from '#src/features/pdf/reader/watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A worker that does as a test says. */
class Puppet extends EventTarget implements Worker {
  onmessage = null
  onmessageerror = null
  onerror = null
  heard: unknown[] = []
  postMessage(message: unknown): void {
    this.heard.push(message)
  }
  terminate(): void {}
  say(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

function watched() {
  const worker = new Puppet()
  const told: string[] = []
  const watch = watchWorker(worker, {
    onHeavy: () => told.push('heavy'),
    onCrowded: (page) => told.push(`page ${page}`),
    onMissing: () => told.push('missing'),
  })
  return { worker, told, watch }
}
const seconds = (count: number) => vi.advanceTimersByTime(count * 1000)

test('a worker that is silent for twenty seconds is given up, one that answers is not', () => {
  const { worker, told, watch } = watched()
  watch.opened()
  for (let i = 0; i < 100; i++) {
    seconds(1)
    worker.say(PING)
  }
  expect(told).toEqual([])
  expect(worker.heard).toHaveLength(100)
  seconds(20)
  expect(told).toEqual([])
  seconds(1)
  expect(told).toEqual(['heavy'])
  watch.end()
  seconds(60)
  expect(told).toEqual(['heavy'])
})

test('a document that does not open within a minute is given up, but not while its password is asked for', () => {
  const { worker, told, watch } = watched()
  const wait = (count: number) => {
    for (let i = 0; i < count; i++) {
      seconds(1)
      worker.say(PING)
    }
  }
  wait(50)
  watch.paused()
  wait(60)
  expect(told).toEqual([])
  wait(1)
  expect(told).toEqual(['heavy'])
})

test('what the worker refuses to inflate is told at once', () => {
  const { worker, told } = watched()
  worker.say(TOO_MUCH)
  expect(told).toEqual(['heavy'])
})

test('a worker that never came is missing; one that was there and stumbles is not', () => {
  const { worker, told } = watched()
  worker.dispatchEvent(new Event('error'))
  expect(told).toEqual(['missing'])
  const other = watched()
  other.worker.say(PING)
  other.worker.dispatchEvent(new Event('error'))
  expect(other.told).toEqual([])
})

test('a page is crowded by 300,000 things to draw, or by points of paths and pictures that weigh as much', () => {
  const { worker, told } = watched()
  const ask = (streamId: number, pageIndex: number) =>
    worker.postMessage({ action: 'GetOperatorList', streamId, data: { pageIndex } })
  const draw = (streamId: number, argsArray: unknown[]) => worker.say({ streamId, stream: 4, chunk: { argsArray } })
  const many = Array.from({ length: 1000 }, () => null)
  ask(1, 0)
  for (let i = 0; i < 300; i++) draw(1, many)
  expect(told).toEqual([])
  draw(1, many)
  draw(1, many)
  expect(told).toEqual(['page 0'])
  ask(2, 7)
  draw(2, [[20, [new Float32Array(3_100_000)], null]])
  expect(told).toEqual(['page 0', 'page 7'])
  // Pictures name who asked for them: pages are numbered there as they were opened.
  worker.postMessage({ action: 'GetOperatorList', streamId: 3, data: { pageIndex: 8, pageProxyId: 2 } })
  worker.say({ action: 'obj', data: ['i1', 2, 'Image', { dataLen: 300 * 1024 ** 2 }] })
  worker.say({ action: 'obj', data: ['i2', 2, 'Image', { dataLen: 30 * 1024 ** 2 }] })
  expect(told).toEqual(['page 0', 'page 7', 'page 8'])
})

test('words without end on one page close the document', () => {
  const { worker, told } = watched()
  worker.postMessage({ action: 'GetTextContent', streamId: 5, data: { pageIndex: 0 } })
  for (let i = 0; i < 51; i++) worker.say({ streamId: 5, stream: 4, chunk: { items: Array.from({ length: 1000 }) } })
  expect(told).toEqual(['heavy'])
})

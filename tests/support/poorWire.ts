import net from 'node:net'

export interface Poor {
  /** Every connection ends after so many bytes of answers. */
  cutAfter?: number
  /** So many bytes of answers a second over all connections together. */
  bytesPerSecond?: number
  /** From the asker to the server and back again. */
  roundTripMs?: number
}
export interface PoorWire {
  url: string
  set: (poor: Poor) => void
  /** Bytes of answers that have left for the asker. */
  brought: () => number
  /** Connections that were cut. */
  cuts: () => number
  close: () => Promise<void>
}

/** What a slow line sends at once. */
const SLICE_BYTES = 16 * 1024

/** What has come is read by then. A browser drops what it has not read when a connection breaks, and a busy one reads late. */
const READ_MS = 150

/** A line of TCP to a server on this machine, as bad as it is told to be. */
export async function poorWire(target: number, first: Poor = {}): Promise<PoorWire> {
  let poor = first
  let brought = 0
  let cuts = 0
  const sockets = new Set<net.Socket>()
  const pace = createPace(() => poor.bytesPerSecond ?? Infinity)
  const forward = async (client: net.Socket): Promise<void> => {
    const upstream = net.connect(target, '127.0.0.1')
    const travels = createDelay(() => (poor.roundTripMs ?? 0) / 2)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    client.on('close', () => upstream.destroy())
    upstream.on('end', () => travels(() => client.end()))
    // A connection takes one round trip before anything is said.
    client.pause()
    setTimeout(() => client.resume(), poor.roundTripMs ?? 0)
    client.on('data', (bytes: Buffer) => travels(() => upstream.write(bytes)))
    let sent = 0
    let breaks = false
    for await (const bytes of upstream as AsyncIterable<Buffer>)
      for (let at = 0; at < bytes.length && !breaks; at += SLICE_BYTES) {
        // A connection that is older than what is set now breaks, too: browsers keep theirs open.
        const left = Math.max(0, (poor.cutAfter ?? Infinity) - sent)
        const slice = bytes.subarray(at, Math.min(at + SLICE_BYTES, at + left))
        await pace(slice.length)
        brought += slice.length
        sent += slice.length
        breaks = slice.length === left
        travels(() => client.write(slice, () => breaks && setTimeout(() => client.destroy(), READ_MS)))
        if (breaks) cuts++
      }
  }
  const server = net.createServer((client) => void forward(client).catch(() => client.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    set: (next) => {
      poor = next
    },
    brought: () => brought,
    cuts: () => cuts,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** All connections share one line: each slice waits until those before it have left. */
function createPace(rate: () => number) {
  let free = 0
  return (bytes: number): Promise<void> => {
    if (rate() === Infinity) return Promise.resolve()
    const now = performance.now()
    free = Math.max(free, now) + (bytes / rate()) * 1000
    const wait = free - now
    // A timer is late by a millisecond or two: what is shorter is made up for later.
    return wait < 4 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, wait))
  }
}

/** Runs each act later by as much, in their order. */
function createDelay(ms: () => number) {
  return (act: () => void): void => {
    if (ms() === 0) act()
    else setTimeout(act, ms())
  }
}

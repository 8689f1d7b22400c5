import type { Server } from 'node:http'
import { isLoopback, networkOf } from './limits.ts'

/**
 * Whoever sends a byte now and then would otherwise keep a connection for ever. A whole request may take as long as its largest, a
 * mebibyte, takes over the worst line on which it still arrives.
 */
export const PATIENCE = {
  /** Its head takes at most so long, ms. */
  headersTimeout: 20_000,
  /** All of it takes at most so long, ms. */
  requestTimeout: 300_000,
}

/** Hundreds of phones stand behind one address of a barracks, and each opens six. */
const MOST = 3_000

interface Options {
  /** Connections of one network at once. */
  most: number
  /** Addresses for which nothing is counted. */
  isFree: (address: string) => boolean
}

/**
 * Closes what one network opens beyond its share. A proxy on this machine brings everybody's connections, and has limits of its own.
 */
export function limitConnections(server: Server, { most, isFree }: Options = { most: MOST, isFree: isLoopback }): void {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const { remoteAddress } = socket
    if (remoteAddress !== undefined && isFree(remoteAddress)) return
    const network = networkOf(remoteAddress)
    const count = (open.get(network) ?? 0) + 1
    if (count > most) return void socket.destroy()
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}

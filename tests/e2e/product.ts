import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { bankJson } from '#tests/support/bank.ts'

/** The product as an operator runs it: the real server process with its own database, reached through a wire that can break. */
export interface Product {
  /** Where browsers go: the wire, not the server. */
  url: string
  wire: Wire
  /** Where the server listens, behind the wire. */
  port: number
  pid: number | undefined
  /** What the server printed, SMS codes among it. */
  log: () => string
  socketFolder: string
  sql: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>
  /** With the operator's own command, while the server runs. */
  importBank: (bank: unknown) => void
  /** `npm run site` and `npm run orders`, while the server runs. */
  site: (...args: string[]) => void
  orders: (...args: string[]) => void
  /** The same of a file that names others beside it. */
  importFile: (file: string) => void
  /** Ends the server and starts it again with these variables of the environment, and without those of an earlier restart. */
  restart: (variables?: Record<string, string>) => Promise<void>
  /** Whether the last restart set variables. */
  isAltered: () => boolean
  /**
   * A new release is put in place: the worker's file differs, so browsers fetch a new worker.
   * @param change what else differs in its `dist`
   */
  release: (change?: (dist: string) => void) => Promise<void>
  hasReleased: () => boolean
  /** Ends the server as a power cut would, and leaves the database. */
  kill: () => Promise<void>
  close: () => Promise<void>
}
/**
 * ok; down: refuses connections; hang: takes them and says nothing; drop-answer: the server answers, the phone never hears it;
 * captive: a login page of the network answers everything; 500: a broken proxy does; 502: a proxy whose server is away.
 */
export type Fault = 'ok' | 'down' | 'hang' | 'drop-answer' | 'captive' | '500' | '502'
export interface Wire {
  port: number
  set: (fault: Fault) => Promise<void>
  /** Leads to another port from now on, and is whole; null: to none, so that whoever still calls is cut off. */
  lead: (target: number | null) => Promise<void>
  close: () => Promise<void>
}

const ROOT = path.resolve(import.meta.dirname, '../..')
declare module 'vitest' {
  interface ProvidedContext {
    /** `data` is what products begin with, `phones` what phones do. */
    preparedFolder: string
    /** The wires of products that run at the same time listen on these. */
    ports: number[]
  }
}

/** The bank that every product begins with besides the demo's content. */
export const BANK = { prefix: 'E2E', chapters: 2, perChapter: 40 }

/**
 * Makes the data folder that products begin with: a database with the demo's content and `BANK`, and its media. Copying it takes a
 * fraction of a second; importing all of that takes several for each file of tests.
 */
export async function prepareData(dataDir: string): Promise<void> {
  const env = serverEnv(dataDir, await freePort())
  const server = await start(ROOT, env)
  importBank(bankJson(BANK), dataDir, env)
  // A test kills processes, never the machine: what the operating system has taken is safe, and waiting for a disk proves nothing.
  await query(dataDir, 'alter system set fsync = off')
  await end(server, 'SIGTERM')
}

const serverEnv = (dataDir: string, port: number): NodeJS.ProcessEnv => ({
  ...process.env,
  DATA_DIR: dataDir,
  PORT: String(port),
  LOG_LEVEL: 'error',
})

/** Resolves when the server takes calls. */
async function start(
  tree: string,
  env: NodeJS.ProcessEnv,
  hear: (text: string) => void = () => {},
): Promise<ChildProcess> {
  const server = spawn(process.execPath, ['server/main.ts'], { cwd: tree, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const take = (bytes: Buffer) => {
      output += bytes.toString()
      hear(bytes.toString())
      if (output.includes('已启动')) resolve()
    }
    server.stdout.on('data', take)
    server.stderr.on('data', take)
    server.once('exit', () => reject(new Error(`the server ended:\n${output}`)))
  })
  return server
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = new Promise((resolve) => server.once('exit', resolve))
  server.kill(signal)
  await gone
}

async function query<Row extends pg.QueryResultRow>(
  dataDir: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ host: path.join(dataDir, 'postgres'), user: 'postgres', database: 'postgres' })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** The stories of this worker share it. */
let shared: Promise<Product> | null = null

/**
 * The product of stories that change nothing but what is their students': started once for each worker, which costs a server, a
 * database and a copy of its data less for each file. It has to be given back, because the worker's other products listen there, too.
 */
export async function borrowProduct(): Promise<{ product: Product; giveBack: () => Promise<void> }> {
  shared ??= runProduct().then((product) => {
    mkdirSync(runningFolder(), { recursive: true })
    writeFileSync(path.join(runningFolder(), String(product.pid)), product.socketFolder)
    return product
  })
  const product = await shared
  await product.wire.lead(product.port)
  return { product, giveBack: () => product.wire.lead(null) }
}

/**
 * The wire of all products of this worker, one after the other: browsers keep what they have of an address, so it has to stay the same,
 * and a port that is given up between two products may be somebody else's when the second wants it.
 */
let held: Promise<Wire> | null = null
const holdWire = (): Promise<Wire> => (held ??= makeWire(null, inject('ports')[Number(process.env.VITEST_POOL_ID) - 1]))

const runningFolder = (folder = inject('preparedFolder')) => path.join(folder, 'running')

/** Ends the products that workers shared, when all of these are gone. Their data goes with the run, so nothing has to be put in order. */
export function endShared(preparedFolder: string): void {
  const folder = runningFolder(preparedFolder)
  if (!existsSync(folder)) return
  for (const pid of readdirSync(folder)) {
    const lock = path.join(readFileSync(path.join(folder, pid), 'utf8'), 'data/postmaster.pid')
    endAtOnce(Number(pid), 'SIGKILL')
    if (existsSync(lock)) endAtOnce(Number.parseInt(readFileSync(lock, 'utf8'), 10), 'SIGQUIT')
  }
}

function endAtOnce(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended already.
  }
}

export async function runProduct(): Promise<Product> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'lijian-e2e-'))
  // Not `cpSync`: the database's files belong to another account when root runs this.
  execFileSync('cp', ['-a', `${inject('preparedFolder')}/data/.`, dataDir])
  const port = await freePort()
  let tree = ROOT
  const env = serverEnv(dataDir, port)
  let altered: Record<string, string> = {}
  let output = ''
  const run = () => start(tree, { ...env, ...altered }, (text) => void (output += text))
  let server = await run()
  const wire = await holdWire()
  await wire.lead(port)
  return {
    url: `http://127.0.0.1:${wire.port}`,
    wire,
    port,
    pid: server.pid,
    log: () => output,
    socketFolder: path.join(dataDir, 'postgres'),
    sql: (text, values) => query(dataDir, text, values),
    importBank: (next) => importBank(next, dataDir, env),
    site: (...args) => command('site', args, env),
    orders: (...args) => command('orders', args, env),
    importFile: (file) => command('content', ['import', file], env),
    restart: async (variables = {}) => {
      await end(server, 'SIGTERM')
      altered = variables
      server = await run()
    },
    isAltered: () => Object.keys(altered).length > 0,
    hasReleased: () => tree !== ROOT,
    release: async (change) => {
      if (tree === ROOT) tree = copyTree(path.join(dataDir, 'tree'))
      appendFileSync(path.join(tree, 'dist/sw.js'), `\n// ${Date.now()}`)
      change?.(path.join(tree, 'dist'))
      await end(server, 'SIGTERM')
      server = await run()
    },
    kill: () => end(server, 'SIGKILL'),
    close: async () => {
      await wire.lead(null)
      await end(server, 'SIGTERM')
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The product in a folder of its own, so that a test can release another version of it. */
function copyTree(tree: string): string {
  mkdirSync(tree)
  for (const part of ['server', 'src', 'dist', 'package.json'])
    cpSync(path.join(ROOT, part), path.join(tree, part), { recursive: true })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(tree, 'node_modules'))
  return tree
}

function importBank(bank: unknown, dataDir: string, env: NodeJS.ProcessEnv): void {
  const file = path.join(dataDir, 'bank.json')
  writeFileSync(file, JSON.stringify(bank))
  command('content', ['import', file], env)
}

function command(name: 'content' | 'orders' | 'site', args: readonly string[], env: NodeJS.ProcessEnv): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`server/bin/${name}.ts`, ...args], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${name} failed: ${stdout}${stderr}`)
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** One that no connection is given by itself while nothing listens on it: those begin at 32768. */
export async function quietPort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  const taken = await new Promise<boolean>((resolve) => {
    const probe = net.createServer().once('error', () => resolve(true))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(false)))
  })
  return taken ? quietPort() : port
}

const PORTAL = '<!doctype html><title>免费上网</title><p>请先登录无线网络</p>'
const CAPTIVE = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${Buffer.byteLength(PORTAL)}\r\n\r\n${PORTAL}`

const BROKEN = 'HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n'
const GATEWAY = 'HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'

/** A forwarder between browser and server, so that the product itself holds no fault code. */
export async function makeWire(target: number | null, at = 0): Promise<Wire> {
  let fault: Fault = 'ok'
  let server: net.Server | null = null
  const sockets = new Set<net.Socket>()
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const forward = (client: net.Socket) => {
    sockets.add(client)
    client.on('error', () => {})
    if (target === null) return void client.destroy()
    if (fault === 'hang') return
    if (fault === '500') return void client.once('data', () => client.end(BROKEN))
    if (fault === '502') return void client.once('data', () => client.end(GATEWAY))
    if (fault === 'captive') return void client.once('data', () => client.end(CAPTIVE))
    const upstream = net.connect(target, '127.0.0.1')
    sockets.add(upstream)
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
    client.pipe(upstream)
    if (fault === 'drop-answer') upstream.once('data', () => client.destroy())
    else upstream.pipe(client)
  }
  const listen = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server = net.createServer(forward).once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        const address = server?.address()
        resolve(typeof address === 'object' && address ? address.port : 0)
      })
    })
  const unlisten = () =>
    new Promise<void>((resolve) => {
      if (!server) return resolve()
      server.close(() => resolve())
      server = null
      cut()
    })
  const port = await listen(at)
  const set = async (next: Fault) => {
    fault = next
    cut()
    if (next === 'down') await unlisten()
    else if (!server) await listen(port)
  }
  return {
    port,
    set,
    lead: (next) => {
      target = next
      return set('ok')
    },
    close: unlisten,
  }
}

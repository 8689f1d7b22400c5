import { dropDatabase } from './databases.ts'

/**
 * The device did not keep it. `quota`: no space; `timeout`: storage hangs; `version`: written by another version, only read by
 * this one; `lost`: the browser's storage has ended for this page, and a new page has it again; `unavailable`: refused or broken.
 */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly kind: 'quota' | 'timeout' | 'version' | 'lost' | 'unavailable'
  constructor(kind: StorageError['kind'], cause?: unknown) {
    super(WORDS[kind], { cause })
    this.kind = kind
  }
}

const WORDS = {
  quota: '存储空间不足，请清理空间后重试',
  timeout: '本地存储没有响应，请关闭其他标签页后重试',
  version: '本地数据的版本不同，请关闭其他标签页后刷新',
  lost: '本地存储已断开，请刷新页面后重试',
  unavailable: '本地存储不可用，请检查浏览器是否允许保存网站数据',
}

export interface Database {
  /**
   * Runs `body` in one transaction and resolves with its result when the transaction is complete: for a write, when it is on
   * disk. `body` may await only requests of this transaction, and may run a second time after a lost connection.
   */
  run: <T>(stores: readonly string[], mode: IDBTransactionMode, body: (tx: IDBTransaction) => Promise<T>) => Promise<T>
  close: () => void
}

/** @param from the version that was there; 0 for none. */
type Upgrade = (db: IDBDatabase, tx: IDBTransaction, from: number) => void

const OPEN_MS = 3_000

/** What stops a page in the middle of a transaction (offline/device/frozen.ts); null in the worker, which nothing stops. */
export interface Frost {
  /** Null while the page runs. */
  thaw: Promise<void> | null
  begun: (tx: IDBTransaction) => void
  /** A database was asked for, which may have to be made. */
  asked: (request: IDBOpenDBRequest) => void
  /** Tells whether this transaction, or the making of this database, was given up because the page was stopped. */
  stopped: (what: IDBTransaction | IDBOpenDBRequest) => boolean
  /** A database was not opened in time: a page that was stopped before this one may hold it. */
  held: () => void
}
let frost: Frost | null = null
/** Called when this browser has met a full disk; tornLog.ts remembers it, and the worker for itself (sw/background.ts). */
let tear: () => void = () => {}
export const expectTears = (of: () => void): void => void (tear = of)
export const expectFrost = (of: Frost | null): void => void (frost = of)

export const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/**
 * Opens lazily, reopens after a lost connection (iOS ends the storage process in the background), gives way to upgrades.
 * @param disposable all of it can be fetched again, so a file that cannot be opened any more is deleted and made anew. Never the
 *   record's: a file that cannot be read now may be read by the next start.
 */
export function createDatabase(name: string, version: number, upgrade: Upgrade, disposable = false): Database {
  let opening: Promise<IDBDatabase> | null = null
  const forget = () => (opening = null)
  const open = (): Promise<IDBDatabase> =>
    (opening ??= connect(name, version, upgrade, forget)
      .catch((error: unknown) => {
        if (disposable && isThrown(error) && says(error, BROKEN_FILE))
          return dropDatabase(name).then(() => connect(name, version, upgrade, forget))
        if (!isNamed(error, 'VersionError', 'AbortError')) throw error
        // A later release wrote it, or its upgrade failed and was undone: it is read as it is, and nothing is written.
        return connect(name, undefined, (_, tx) => tx.abort(), forget)
      })
      .catch((error: unknown) => Promise.reject(forget() ?? error)))

  async function attempt<T>(
    stores: readonly string[],
    mode: IDBTransactionMode,
    body: (tx: IDBTransaction) => Promise<T>,
  ): Promise<T> {
    const db = await open()
    await frost?.thaw
    if (mode === 'readwrite' && db.version !== version) throw new StorageError('version')
    // Chrome's default durability acknowledges before the data is on disk.
    const tx = db.transaction(stores, mode, mode === 'readwrite' ? { durability: 'strict' } : undefined)
    frost?.begun(tx)
    const complete = new Promise<void>((resolve, reject) => {
      // Listeners, not handlers: idb-keyval sets the handlers of a transaction that it is lent.
      tx.addEventListener('complete', () => resolve())
      tx.addEventListener('abort', () => reject(tx.error ?? new DOMException('aborted', 'AbortError')))
    })
    complete.catch(() => {})
    let asked = false
    try {
      const result = await body(tx)
      asked = true
      await complete
      return result
    } catch (error) {
      if (isFull(tx.error)) throw tx.error
      // Everything was asked for and nobody gave it up: WebKit ends a write so, without a reason, when it does not get it on disk.
      if (asked && mode === 'readwrite' && tx.error === null && !frost?.stopped(tx))
        throw new StorageError('quota', error)
      try {
        tx.abort()
      } catch {
        // It has ended already.
      }
      throw error
    }
  }

  return {
    async run(stores, mode, body) {
      try {
        return await attempt(stores, mode, body).catch((first: unknown) => {
          if (!isLost(first) && !isUncommitted(first)) throw first
          forget()
          return attempt(stores, mode, body).catch((second: unknown) => {
            // Once may be a lost connection that says nothing of itself; a lesson would be given up for it.
            throw isUncommitted(second) && !isUncommitted(first) ? second.cause : second
          })
        })
      } catch (error) {
        // Chromium closes a connection that met a full disk.
        if (isLost(error)) forget()
        if (tearsLog(error)) tear()
        throw asStorageError(error)
      }
    },
    close() {
      void opening?.then(
        (db) => db.close(),
        () => {},
      )
      forget()
    },
  }
}

function connect(
  name: string,
  version: number | undefined,
  upgrade: Upgrade,
  forget: () => void,
): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // A browser that refuses it may leave it out altogether. The getter of another one throws.
    const factory: IDBFactory | null | undefined = globalThis.indexedDB
    if (!factory) return reject(new StorageError('unavailable'))
    const timer = setTimeout(() => {
      // Chromium lets a stopped page go by itself when another one needs what it holds.
      if (!isChromium()) frost?.held()
      reject(new StorageError('timeout'))
    }, OPEN_MS)
    const request = factory.open(name, version)
    frost?.asked(request)
    request.onupgradeneeded = ({ oldVersion }) => {
      // It may have been given up before the page heard of it.
      if (request.transaction && !frost?.stopped(request)) upgrade(request.result, request.transaction, oldVersion)
    }
    request.onerror = () => {
      if (!frost?.stopped(request)) return reject(request.error)
      // A page that was stopped while it made the database makes it when it comes back.
      resolve(Promise.resolve(frost.thaw).then(() => connect(name, version, upgrade, forget)))
    }
    request.onsuccess = () => {
      clearTimeout(timer)
      const db = request.result
      db.onclose = () => {
        forget()
        // Another page, the worker or a cache may have met the full disk: all of the site's connections end with it.
        if (isChromium()) tear()
      }
      db.onversionchange = () => {
        db.close()
        forget()
      }
      resolve(db)
    }
  })
}

const isNamed = (error: unknown, ...names: string[]): boolean =>
  error instanceof DOMException && names.includes(error.name)

const isLost = (error: unknown): boolean => isNamed(error, 'InvalidStateError', 'UnknownError', 'AbortError')

/** The abort that WebKit gives no reason for. */
const isUncommitted = (error: unknown): error is StorageError =>
  error instanceof StorageError && isNamed(error.cause, 'AbortError')

/**
 * A quota has an error of its own, a disk without space has not: Chromium 156 says `DataError: Failed to write blobs (IOError)` of
 * what is large and `UnknownError: … FILE_ERROR_NO_SPACE …` of what is small.
 */
const FULL_LOG = /NO_SPACE|no space left|Failed to write blobs/i
/**
 * SQLite, which keeps the databases of WebKit and Firefox, says that it is full; WebKit says of a new database only that it cannot
 * be opened, and has words of its own for Cache Storage.
 */
const FULL_FILES =
  /(?:disk|database) (?:or disk )?is full|full disk|Unable to open database file|Unable to (?:store record in|clear) object store|Failed writing data to the file system/i
/** WebKit's storage process has died, on a full disk say; this page is not given another one. */
const LOST_FOR_PAGE = /Connection to Indexed Database server lost/
/** WebKit could not make this database for want of room, and cannot open it ever after. */
const BROKEN_FILE = /Unable to establish IDB database file/
/** A quota, everywhere; and a full disk in Firefox, whose Cache Storage gives it this name. */
const FULL_NAMES = ['QuotaExceededError', 'NS_ERROR_FILE_NO_DEVICE_SPACE']

const says = (error: Error, ...words: RegExp[]): boolean => words.some((each) => each.test(error.message))
const isThrown = (error: unknown): error is Error | DOMException =>
  error instanceof Error || error instanceof DOMException
/**
 * Chromium alone keeps a log that a full disk tears (tornLog.ts). Of a database it says that it could not be opened when the disk
 * has no room for what opening writes, and of other faults.
 */
const tearsLog = (error: unknown): boolean =>
  error instanceof DOMException && says(error, FULL_LOG, /opening backing store/)
const isChromium = (): boolean => typeof navigator !== 'undefined' && 'userAgentData' in navigator

/** There was no room for what was written. */
export const isFull = (error: unknown): boolean => {
  if (error instanceof StorageError) return error.kind === 'quota'
  if (!isThrown(error)) return false
  return FULL_NAMES.includes(error.name) || says(error, FULL_LOG, FULL_FILES)
}

/** Errors of the storage get one name; errors of the caller stay what they are. */
function asStorageError(error: unknown): unknown {
  if (error instanceof StorageError) return error
  if (isFull(error)) return new StorageError('quota', error)
  if (isThrown(error) && says(error, LOST_FOR_PAGE)) return new StorageError('lost', error)
  return error instanceof DOMException ? new StorageError('unavailable', error) : error
}

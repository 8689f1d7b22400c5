import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { vi } from 'vitest'
import { CHROMIUM_ARGS, findChromium, findHeadlessShell } from '#tools/chromium.ts'

/** A phone: one browser profile on disk that can be opened, closed and killed. */
export interface Phone {
  page: Page
  context: BrowserContext
  /** Ends the browser as its user does. */
  end: () => Promise<void>
  /** Ends it as a dead battery would. */
  kill: () => Promise<void>
  /** Opens the same profile again; `offline` from the very first request on. */
  reopen: (options?: { offline?: boolean }) => Promise<void>
  close: () => Promise<void>
  /** Closes it, and leaves its profile, the folder that this resolves to. */
  putAway: () => Promise<string>
}

export interface PhoneOptions {
  /** A computer instead: a wide screen and a mouse. */
  desktop?: boolean
  /** The browser with windows, which alone knows whether an app can be installed. */
  whole?: boolean
  /** The app may have its service worker; true when left out. */
  worker?: boolean
  /** The profile that it begins with (visited.ts); left out, an empty one. */
  from?: string
}

export async function takePhone(options: PhoneOptions = {}): Promise<Phone> {
  const profile = mkdtempSync(path.join(os.tmpdir(), 'lijian-phone-'))
  if (options.from) execFileSync('cp', ['-a', `${options.from}/.`, profile])
  const launch = async () => {
    const context = await launchBrowser(profile, options)
    return { context, page: context.pages()[0] ?? (await context.newPage()) }
  }
  const phone: Phone = {
    ...(await launch()),
    end: async () => {
      // A browser writes localStorage down some seconds later, or when the last page that uses it is gone; a browser that is busy loses it
      // when it is closed before it has written. So the pages go first, and the profile must hold what each of them wrote last.
      const pages = phone.context.pages()
      const marks = await Promise.all(pages.map(leaveMark))
      const blank = await phone.context.newPage()
      for (const page of pages) await page.close()
      await stopWorkers(blank)
      // Where a wire that is cut keeps its process busy, it is closed all the same, as its user would.
      await vi.waitFor(() => expectMarks(profile, marks), { timeout: 10_000 }).catch(() => {})
      await phone.context.close()
    },
    kill: async () => {
      const closed = new Promise((resolve) => phone.context.once('close', resolve))
      for (const pid of pidsOf(profile)) spawnSync('kill', ['-9', pid])
      await closed
    },
    reopen: async ({ offline = false } = {}) => {
      rmSync(path.join(profile, 'SingletonLock'), { force: true })
      Object.assign(phone, await launch())
      if (offline) await phone.context.setOffline(true)
    },
    putAway: async () => {
      await phone.end()
      return profile
    },
    close: async () => {
      await phone.context.close().catch(() => {})
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  return phone
}

/** A worker that still runs keeps the process of its pages alive, and with it what that has stored and not written. */
async function stopWorkers(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.stopAllWorkers')
}

/** Twelve characters that nothing else on the device is written with, so that no compression shortens them. */
const makeMark = (): string =>
  Array.from(randomBytes(12), (byte) => String.fromCodePoint(0xa1 + (byte % 0x5f))).join('')

/** Writes into the localStorage of a page's origin, if it has one. @returns what was written */
const leaveMark = (page: Page): Promise<string> =>
  page.evaluate((mark) => {
    if (!location.protocol.startsWith('http')) return ''
    // Twice, as one of them may lie across the end of a block of the browser's file.
    localStorage.setItem('test-end', `${mark} ${mark}`)
    return mark
  }, makeMark())

/** Throws while the profile's localStorage lacks one of these. */
function expectMarks(profile: string, marks: readonly string[]): void {
  const files = globSync(`${profile}/Default/Local Storage/leveldb/*.{log,ldb}`)
  const kept = files.map((file) => readFileSync(file, 'latin1')).join()
  if (marks.some((mark) => !kept.includes(mark))) throw new Error('the browser has not written its localStorage down')
}

/** Two processes fewer: a launch costs a quarter less, and a story launches two or three browsers. */
const IN_ONE_PROCESS = ['--in-process-gpu', '--enable-features=CDPScreenshotNewSurface,NetworkServiceInProcess2']

async function launchBrowser(
  profile: string,
  { desktop = false, whole = false, worker = true }: PhoneOptions = {},
): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await (whole ? findChromium() : findHeadlessShell()),
    args: [...CHROMIUM_ARGS, ...(whole ? [] : IN_ONE_PROCESS)],
    viewport: { width: desktop ? 1280 : 390, height: 800 },
    hasTouch: !desktop,
    serviceWorkers: worker ? 'allow' : 'block',
    locale: 'zh-CN',
    // Else a machine without a language set gives files names without Chinese.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  context.setDefaultTimeout(30_000)
  return context
}

/** Every process of the browser that uses this profile. */
function pidsOf(profile: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(profile)
    } catch {
      return false
    }
  })
}

/** Resolves when a worker controls the page and has everything it needs offline. */
export async function workerReady(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const { active } = registration
    if (active && active.state !== 'activated')
      await new Promise((resolve) => active.addEventListener('statechange', resolve, { once: true }))
  })
}

/** Resolves when the release that was put in place is installed and waits, whether this page or the browser by itself looked for it. */
export async function newWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    await registration.update()
    const { installing } = registration
    if (installing) await new Promise((resolve) => installing.addEventListener('statechange', resolve, { once: true }))
    if (!registration.waiting) throw new Error('no release waits')
  })
}

/** Writes until the browser refuses; run in the page. */
export async function fillDevice(): Promise<void> {
  const db = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('filler', 1)
    request.onupgradeneeded = () => request.result.createObjectStore('x', { autoIncrement: true })
    request.onsuccess = () => resolve(request.result)
  })
  const write = (size: number) =>
    new Promise<boolean>((resolve) => {
      const tx = db.transaction('x', 'readwrite', { durability: 'strict' })
      tx.objectStore('x').put('x'.repeat(size))
      tx.oncomplete = () => resolve(true)
      tx.onabort = () => resolve(false)
    })
  // Down to what an answer takes: no gap may be left that it fits into.
  for (const size of [60_000, 6_000, 600, 60]) while (await write(size));
  db.close()
}

/**
 * What a store of this device holds, in all databases whose names begin so: the visitor that a student was has one, too. Nothing where there
 * is no such store yet.
 * @param what what stays in the browser, such as a Blob, can be asked for by its keys
 */
export const rowsOf = <T = unknown>(
  page: Page,
  database: string,
  store: string,
  what: 'getAll' | 'getAllKeys' = 'getAll',
): Promise<T[]> =>
  page.evaluate(
    async ([database, store, what]) => {
      const wait = <R>(request: IDBRequest<R>) =>
        new Promise<R>((resolve) => {
          request.onsuccess = () => resolve(request.result)
        })
      const names = (await indexedDB.databases()).flatMap(({ name }) => (name?.startsWith(database) ? [name] : []))
      const rows: unknown[] = []
      for (const name of names) {
        const db = await wait(indexedDB.open(name))
        if (db.objectStoreNames.contains(store))
          rows.push(...(await wait(db.transaction(store).objectStore(store)[what]())))
        db.close()
      }
      return rows as T[]
    },
    [database, store, what] as const,
  )

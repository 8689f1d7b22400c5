import type { CDPSession, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { fillDevice, newWorker, rowsOf, workerReady } from './browser.ts'
import type { Fault } from './product.ts'
import { OTHER, setStage, STUDY } from './stage.ts'

const stage = setStage({ own: true })
const { open, stem, choose, answers, answerUnder, student, keptStudent, markSays, signIn } = stage

const right = (page: Page) => page.getByText('回答正确').first().waitFor()
const answered = async (uid: string, count: number) =>
  await expect.poll(() => answers(uid), { timeout: 20_000 }).toHaveLength(count)
const cdp = (): Promise<CDPSession> => stage.phone.context.newCDPSession(stage.phone.page)

/** The browser's hold on the app's worker. */
async function workerOf(): Promise<{ session: CDPSession; wakeWorker: () => Promise<unknown> }> {
  const session = await cdp()
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const id = registrations.at(-1)?.registrationId
      if (id) resolve(id)
    }),
  )
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  const event = { origin: stage.product.url, registrationId, tag: 'outbox', lastChance: false }
  return { session, wakeWorker: () => session.send('ServiceWorker.dispatchSyncEvent', event) }
}

describe('the network', () => {
  test('a browser that says it is online when it is not is not believed', async () => {
    const { uid } = await student()
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    await workerReady(stage.phone.page)
    await stage.phone.context.setOffline(true)
    // An open debugging session makes Chromium say so after a reload.
    await cdp()
    await open(STUDY)
    expect(await stage.phone.page.evaluate(() => navigator.onLine)).toBe(true)
    await choose(stage.phone.page, 'B')
    await right(stage.phone.page)
    await markSays(stage.phone.page, /离线，1 条待同步/)
    await stage.phone.context.setOffline(false)
    await answered(uid, 1)
  })

  test('which is gone takes nothing of the app along, though the browser has thrown away all it need not keep', async () => {
    await student()
    await open(STUDY)
    const { page } = stage.phone
    await stem(page, 1).waitFor()
    await workerReady(page)
    await (await cdp()).send('Network.clearBrowserCache')
    await stage.product.wire.set('down')
    for (const address of [STUDY, '/', '/user/my_error']) {
      await open(address)
      // The last that a start asks for, long after the screen.
      const begun = () =>
        page.evaluate(() =>
          performance
            .getEntriesByType('resource')
            .map(({ name }) => name)
            .join(),
        )
      await expect.poll(begun).toContain('/register-')
      await page.waitForLoadState('networkidle')
      expect(await page.evaluate(() => sessionStorage.getItem('jk-chunk-reload'))).toBeNull()
    }
  })

  test('a server that is away is not taken for an update: a page never seen says so within the shell, and opens by itself', async () => {
    await student()
    await open('/')
    const { page } = stage.phone
    await workerReady(page)
    await stage.product.wire.set('down')
    const navigation = page.getByRole('navigation').filter({ visible: true }).first()
    await navigation.getByRole('link', { name: '图书' }).click()
    await page.getByRole('heading', { name: '此内容尚未下载，联网后可查看' }).waitFor()
    expect(await page.getByText('功能已更新').count()).toBe(0)
    await page.getByRole('banner').waitFor()
    await page.getByRole('button', { name: '重试' }).click()
    await navigation.getByRole('link', { name: '首页' }).click()
    await page.getByRole('region', { name: '今日学习' }).waitFor()
    await navigation.getByRole('link', { name: '图书' }).click()
    await page.getByRole('heading', { name: '此内容尚未下载，联网后可查看' }).waitFor()
    await stage.product.wire.set('ok')
    await page.getByRole('heading', { level: 1, name: '图书' }).waitFor()
  })

  test.each<Fault>(['down', '502'])(
    'a page on which nothing is done finds a server that was away (%s) by itself, and everything goes up',
    async (fault) => {
      const { uid } = await answerUnder(fault)
      await markSays(stage.phone.page, /离线，1 条待同步/)
      await stage.product.wire.set('ok')
      await markSays(stage.phone.page, /已同步/)
      expect(await answers(uid)).toHaveLength(1)
    },
  )

  test('a captive portal is no server: nothing of it is kept, and the answer waits', async () => {
    const { uid } = await answerUnder('captive')
    await markSays(stage.phone.page, /1 条待同步/)
    await open(STUDY)
    // It goes on behind the question that was answered.
    await stem(stage.phone.page, 2).waitFor()
    expect(JSON.stringify(await rowsOf(stage.phone.page, 'jk-cache', 'q'))).not.toContain('无线网络')
    await stage.product.wire.set('ok')
    await answered(uid, 1)
  })

  test('a browser killed while an answer is on its way sends it again, and it counts once', async () => {
    const { uid } = await keptStudent()
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    await stage.product.wire.set('drop-answer')
    await choose(stage.phone.page, 'B')
    await answered(uid, 1)
    await stage.phone.kill()
    await stage.product.wire.set('ok')
    await stage.phone.reopen()
    await open(STUDY)
    await markSays(stage.phone.page, /已同步/)
    await expect.poll(() => rowsOf(stage.phone.page, 'jk-outbox', 'ops')).toEqual([])
    expect(await answers(uid)).toEqual([{ question_no: 'E2E_q1', times: 1, wrong: 0 }])
  })

  test('when the tab that is sending is closed, another one goes on', async () => {
    const { uid } = await student()
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    const other = await stage.phone.context.newPage()
    await other.goto(stage.product.url + OTHER)
    await other.getByText('第2章第1题：').waitFor()
    await stage.product.wire.set('hang')
    await choose(stage.phone.page, 'B')
    await right(stage.phone.page)
    await markSays(stage.phone.page, /1 条待同步/)
    await stage.phone.page.close()
    await stage.product.wire.set('ok')
    await choose(other, 'B')
    await answered(uid, 2)
  })

  test('without Background Sync, and with it while no page is open', async () => {
    await stage.phone.context.addInitScript(() => Reflect.deleteProperty(ServiceWorkerRegistration.prototype, 'sync'))
    const { uid } = await answerUnder('down')
    const { wakeWorker } = await workerOf()
    await stage.phone.page.goto('about:blank')
    await stage.product.wire.set('ok')
    expect(await answers(uid)).toEqual([])
    await wakeWorker()
    await answered(uid, 1)
  })
})

describe('the worker', () => {
  test('that is killed while it sends leaves everything to the page, and each answer counts once', async () => {
    const { uid } = await answerUnder('down')
    const { session, wakeWorker } = await workerOf()
    await stage.phone.page.goto('about:blank')
    await stage.product.wire.set('drop-answer')
    await wakeWorker()
    await answered(uid, 1)
    await stage.product.wire.set('hang')
    await wakeWorker()
    await session.send('ServiceWorker.stopAllWorkers')
    await stage.product.wire.set('ok')
    await open(STUDY)
    await markSays(stage.phone.page, /已同步/)
    await expect.poll(() => rowsOf(stage.phone.page, 'jk-outbox', 'ops')).toEqual([])
    expect(await answers(uid)).toEqual([{ question_no: 'E2E_q1', times: 1, wrong: 0 }])
  })
})

describe('the device', () => {
  test('a full device says that an answer is not saved, keeps it on the screen, and saves it when there is space', async () => {
    const { uid } = await student()
    // Chromium remembers for a while how much space there was: the quota must be small from the browser's start on.
    await stage.phone.end()
    await stage.phone.reopen()
    const session = await cdp()
    await session.send('Storage.overrideQuotaForOrigin', { origin: stage.product.url, quotaSize: 3_000_000 })
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    await stage.phone.page.evaluate(fillDevice)
    await choose(stage.phone.page, 'B')
    const alert = stage.phone.page.getByRole('alert')
    await alert.getByText('未保存').waitFor()
    expect(await stage.phone.page.getByText('回答正确').count()).toBe(0)
    await session.send('Storage.overrideQuotaForOrigin', { origin: stage.product.url })
    await alert.getByRole('button', { name: '重试' }).click()
    await right(stage.phone.page)
    await answered(uid, 1)
  })

  test('without IndexedDB the app still shows questions, and says that answers are not saved', async () => {
    await stage.phone.context.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('forbidden', 'SecurityError')
      }
    })
    await student()
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    await choose(stage.phone.page, 'B')
    await stage.phone.page.getByRole('alert').getByText('未保存').waitFor()
  })

  test('a storage that hangs does not hold up what the network can show', async () => {
    await stage.phone.context.addInitScript(() => {
      Reflect.set(IDBFactory.prototype, 'open', () => ({ addEventListener: () => {} }))
    })
    await student()
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
  })

  test('after the browser has thrown everything away, studying and syncing begin anew without a clash', async () => {
    const { uid, mobile } = await student()
    await open(STUDY)
    await choose(stage.phone.page, 'B')
    await right(stage.phone.page)
    await answered(uid, 1)
    const session = await cdp()
    await stage.phone.page.goto('about:blank')
    await session.send('Storage.clearDataForOrigin', { origin: stage.product.url, storageTypes: 'all' })
    await signIn(stage.phone.page, mobile)
    await open(OTHER)
    await choose(stage.phone.page, 'B')
    await right(stage.phone.page)
    await answered(uid, 2)
  })

  test('a damaged cache record is fetched again', async () => {
    await student()
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    await expect
      .poll(async () => JSON.stringify(await rowsOf(stage.phone.page, 'jk-cache', 'q')))
      .toContain('第1章第1题')
    await stage.phone.page.evaluate(async () => {
      const names = (await indexedDB.databases()).flatMap(({ name }) => (name?.startsWith('jk-cache') ? [name] : []))
      for (const name of names) {
        const db = await new Promise<IDBDatabase>((resolve) => {
          const request = indexedDB.open(name)
          request.onsuccess = () => resolve(request.result)
        })
        const store = db.transaction('q', 'readwrite').objectStore('q')
        await new Promise<void>((resolve) => {
          store.openCursor().onsuccess = (event) => {
            const cursor = (event.target as IDBRequest<IDBCursorWithValue | null>).result
            if (!cursor) return resolve()
            if (typeof cursor.key === 'string' && cursor.key.startsWith('q-')) cursor.update('{"half of')
            cursor.continue()
          }
        })
        db.close()
      }
    })
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
  })
})

describe('a new version', () => {
  const bar = () => stage.phone.page.getByText('发现新版本')

  test('waits while the student studies, and comes when asked; every tab follows when it is free', async () => {
    const { uid } = await student()
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    await workerReady(stage.phone.page)
    // The first page of a browser has no worker yet; only one that has can be outdated.
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    const home = await stage.phone.context.newPage()
    await home.goto(stage.product.url)
    await stage.product.release()
    await newWorker(stage.phone.page)
    await choose(stage.phone.page, 'B')
    await right(stage.phone.page)
    expect(await bar().count()).toBe(0)
    // A chunk that the old version has not loaded yet still comes.
    await stage.phone.page.getByRole('button', { name: /^答题卡/ }).click()
    await stage.phone.page.getByRole('dialog').waitFor()
    await stage.phone.page.keyboard.press('Escape')

    await home.getByText('发现新版本').waitFor()
    await Promise.all([home.waitForEvent('load'), home.getByRole('button', { name: '更新' }).click()])
    await stem(stage.phone.page, 1).waitFor()
    await right(stage.phone.page)
    await Promise.all([
      stage.phone.page.waitForEvent('load'),
      stage.phone.page.getByRole('button', { name: '退出练习' }).click(),
    ])
    await stage.phone.page.getByRole('heading', { name: '题库', exact: true }).waitFor()
    expect(await bar().count()).toBe(0)
    await answered(uid, 1)
  })

  test('that nobody asked for is there after a cold start, without a question', async () => {
    await open('/')
    await workerReady(stage.phone.page)
    await open('/')
    await stage.product.release()
    await newWorker(stage.phone.page)
    await bar().waitFor()
    await stage.phone.kill()
    await stage.phone.reopen()
    await open('/')
    const state = () =>
      stage.phone.page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready
        return [navigator.serviceWorker.controller !== null, registration.waiting !== null]
      })
    await expect.poll(state, { timeout: 20_000 }).toEqual([true, false])
    expect(await bar().count()).toBe(0)
  })

  test('that the operator has given the old one up for is asked for, never in a study, and studying goes on', async () => {
    const { uid } = await student()
    const { page } = stage.phone
    const asked = page.getByText('当前版本已停用，记录都在，请更新')
    await stage.product.restart({ MIN_VERSION: '99.0.0' })
    await open('/question/library')
    await asked.waitFor()
    await Promise.all([page.waitForResponse((response) => response.url().endsWith('/version')), open(STUDY)])
    await choose(page, 'B')
    await right(page)
    expect(await asked.count()).toBe(0)
    await answered(uid, 1)
    await page.getByRole('button', { name: '退出练习' }).click()
    await asked.waitFor()
    // No later version is there: the page starts anew, and asks again.
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: '更新' }).click()])
    await asked.waitFor()
    await stage.product.restart()
    const [versionTold] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/version')),
      open('/question/library'),
    ])
    await versionTold.finished()
    await page
      .getByRole('button', { name: /^下载离线包/ })
      .first()
      .waitFor()
    expect(await asked.count()).toBe(0)
  })

  test('that is broken can be retired from the server, the record stays, and the app works offline again afterwards', async () => {
    const { uid } = await answerUnder('down')
    await stage.product.restart({ RETIRE_WORKER: '1' })
    await stage.product.wire.set('ok')
    const { page } = stage.phone
    // A page that is in use is left as it is.
    await page.evaluate(() => Object.assign(window, { stillHere: true }))
    // One update can fail on a connection that ended with the server before, as it can on a phone: the next one comes.
    const unregistered = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration()
        // Not waited for: it is never answered where the worker leaves meanwhile.
        void registration?.update().catch(() => {})
        return registration === undefined
      })
    await expect.poll(unregistered, { timeout: 60_000, interval: 1_000 }).toBe(true)
    expect(await page.evaluate(() => 'stillHere' in window)).toBe(true)
    await right(page)
    await answered(uid, 1)
    await open('/')
    expect(await page.evaluate(() => navigator.serviceWorker.controller === null)).toBe(true)
    await stage.product.restart()
    await open(STUDY)
    await stem(page, 2).waitFor()
    await workerReady(page)
    await stage.phone.context.setOffline(true)
    await open(STUDY)
    await stem(page, 2).waitFor()
    await stage.phone.context.setOffline(false)
    await answered(uid, 1)
  })
})

describe('logging out', () => {
  const leave = async (way: string, meanwhile?: () => Promise<void>) => {
    await open('/user/my_userinfo')
    await stage.phone.page.getByRole('button', { name: '退出登录' }).click()
    await stage.phone.page.getByText('还有 1 条未同步').waitFor()
    await meanwhile?.()
    const { page } = stage.phone
    const confirm = async () => {
      await page.getByRole('button', { name: way }).click()
      if (way === '放弃并退出') await page.getByRole('button', { name: '删除并退出' }).click()
    }
    await Promise.all([page.waitForEvent('load'), confirm()])
  }
  test('sends first what waits, when the student says so', async () => {
    const { uid } = await answerUnder('down')
    await leave('立即同步并退出', () => stage.product.wire.set('ok'))
    expect(await answers(uid)).toHaveLength(1)
    await stage.phone.page.getByRole('button', { name: /^游客/ }).waitFor()
  })

  test('throws away what waits only when the student says so', async () => {
    const { uid, mobile } = await answerUnder('down')
    await leave('放弃并退出')
    await stage.product.wire.set('ok')
    await signIn(stage.phone.page, mobile)
    await markSays(stage.phone.page, /已同步/)
    expect(await answers(uid)).toEqual([])
    expect(await rowsOf(stage.phone.page, 'jk-outbox', 'ops')).toEqual([])
  })
})

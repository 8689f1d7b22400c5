import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { dayOf, startOf } from '#src/domain/time/day.ts'
import { offline } from '#src/offline/index.ts'
import type { Push } from '#server/outside/push.ts'
import { openApp, prepareDevice } from '#tests/support/app.tsx'
import { emptyDevice } from '#tests/support/emptyDevice.ts'
import { eventually } from '#tests/support/eventually.ts'
import { type Browser, type PushServer, startPushServer } from '#tests/support/pushServer.ts'
import { decide, pushHere, remind, startReminding } from '#tests/support/reminders.ts'
import type { TestServer } from '#tests/support/server.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'

const PAGE = '/user/my_userinfo'
let service: PushServer
let server: TestServer
let push: Push
let wire: Wire
let student: Awaited<ReturnType<TestServer['student']>>
let app: Awaited<ReturnType<typeof openApp>> | null = null
beforeAll(async () => {
  service = await startPushServer()
  server = await startReminding(() => push)
  push = await pushHere(server.db)
})
afterAll(async () => {
  await server.close()
  await service.stop()
})

/** The browser's own part of Web Push, which jsdom has not; behind it is a real service. */
const world: { allowed: NotificationPermission; reachable: boolean; browser: Browser | null } = {
  allowed: 'default',
  reachable: true,
  browser: null,
}
const pushManager = {
  getSubscription: async () => world.browser && subscriptionOf(world.browser),
  subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
    if (!world.reachable) throw new DOMException('Registration failed - push service error', 'AbortError')
    world.browser = service.browser(applicationServerKey)
    return subscriptionOf(world.browser)
  },
}
const subscriptionOf = ({ subscription: { endpoint, ...keys } }: Browser) => ({
  toJSON: () => ({ endpoint, keys }),
  unsubscribe: async () => {
    world.browser = null
  },
})
const asked = vi.fn<() => void>()
beforeEach(async () => {
  Object.assign(world, { allowed: 'default', reachable: true, browser: null })
  asked.mockClear()
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { getRegistration: async () => ({ pushManager }), addEventListener: () => {}, controller: null },
  })
  vi.stubGlobal('PushManager', Object)
  vi.stubGlobal('Notification', {
    get permission() {
      return world.allowed
    },
    requestPermission: async () => {
      asked()
      if (world.allowed === 'default') world.allowed = 'granted'
      return world.allowed
    },
  })
  wire = connect(server)
  student = await server.student()
  prepareDevice(student)
  await emptyDevice()
})
afterEach(() => {
  app?.close()
  app = null
  wire.restore()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

async function open(): Promise<ReturnType<typeof within>> {
  app = await openApp(PAGE)
  return within(await screen.findByRole('form', { name: '每日提醒' }))
}
async function setTime(form: ReturnType<typeof within>, label: string, time: string): Promise<void> {
  const field = form.getByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, time)
}
const settings = async () => {
  const all = await offline.things('setting')
  return [all.get('reminderAt')?.value, all.get('reminderQuiet')?.value]
}
const press = async (form: ReturnType<typeof within>, name: string) =>
  userEvent.click(await form.findByRole('button', { name }))
const devices = async () => (await server.call(contract.reminder.state, {}, student.token)).devices

describe('每日提醒', () => {
  test('has a time and quiet hours, which are kept without a network', async () => {
    wire.fault = nobody
    const form = await open()
    expect(form.getByRole('heading', { name: '每日提醒' })).toBeTruthy()
    expect(form.getByLabelText('提醒时间')).toHaveProperty('value', '20:00')
    await setTime(form, '提醒时间', '19:30')
    await setTime(form, '免打扰从', '21:30')
    await press(form, '保存提醒')
    await screen.findByText('提醒时间已保存')
    expect(await settings()).toEqual(['19:30', '21:30-07:00'])
  })

  test('shows what another device has set since, and writes only what differs', async () => {
    const form = await open()
    await setTime(form, '免打扰从', '21:30')
    await offline.addAll([{ kind: 'setting', payload: { name: 'reminderAt', value: '18:15' } }])
    await eventually(() => expect(form.getByLabelText('提醒时间')).toHaveProperty('value', '18:15'))
    const written = vi.spyOn(offline, 'addAll')
    await press(form, '保存提醒')
    await screen.findByText('提醒时间已保存')
    const payload = { name: 'reminderQuiet', value: '21:30-07:00' }
    expect(written.mock.calls).toEqual([[[{ kind: 'setting', payload }]]])
    expect(await settings()).toEqual(['18:15', '21:30-07:00'])
  })

  test('says what is wrong with a time, and keeps nothing', async () => {
    const form = await open()
    await setTime(form, '提醒时间', '23:00')
    await press(form, '保存提醒')
    expect((await form.findByRole('alert')).textContent).toBe('提醒时间在免打扰时段里，请改一个时间。')
    await userEvent.clear(form.getByLabelText('提醒时间'))
    await press(form, '保存提醒')
    expect((await form.findByRole('alert')).textContent).toBe('提醒时间和免打扰的起止时间都要填。')
    expect(await settings()).toEqual([undefined, undefined])
  })

  test('goes into the phone’s calendar as a file, without a network', async () => {
    const files: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      files.push(file as Blob)
      return 'blob:1'
    })
    wire.fault = nobody
    const form = await open()
    await setTime(form, '提醒时间', '06:45')
    await setTime(form, '免打扰到', '06:30')
    await press(form, '添加到手机日历')
    await eventually(() => expect(files).toHaveLength(1))
    expect(await files[0]?.text()).toMatch(/DTSTART;TZID=Asia\/Shanghai:\d{8}T064500\r\n[^]*RRULE:FREQ=DAILY\r\n/)
    expect(await settings()).toEqual(['06:45', '22:00-06:30'])
  })
})

describe('messages to this device', () => {
  test('are off; the student is told in plain words what becomes of the address, and may say no', async () => {
    const form = await open()
    await press(form, '开启这台设备的推送')
    const dialog = within(await screen.findByRole('dialog', { name: '开启推送提醒' }))
    expect(dialog.getByText(/推送服务器在境外，推送地址和发送时间会传到境外/)).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: '取消' }))
    expect(asked).not.toHaveBeenCalled()
    expect(await devices()).toEqual([])
    expect(await settings()).toEqual([undefined, undefined])
    await form.findByRole('button', { name: '开启这台设备的推送' })
  })

  const agree = async (form: ReturnType<typeof within>) => {
    await press(form, '开启这台设备的推送')
    const dialog = within(await screen.findByRole('dialog', { name: '开启推送提醒' }))
    await userEvent.click(dialog.getByRole('button', { name: '同意并开启' }))
  }

  test('are asked for by the browser at once when the student agrees: it asks only within a moment of a tap', async () => {
    const form = await open()
    await form.findByRole('button', { name: '开启这台设备的推送' })
    const happened: string[] = []
    const saving = vi.spyOn(offline, 'addAll')
    asked.mockImplementationOnce(() => void happened.push('asked', `${saving.mock.calls.length} saved`))
    // The page fetches other things meanwhile, whenever it likes.
    wire.fault = ({ path }) => {
      if (path.includes('/reminder/')) happened.push(path.slice(path.indexOf('reminder/')))
      return null
    }
    await agree(form)
    await screen.findByText('已开启推送提醒')
    expect(happened.slice(0, 4)).toEqual(['asked', '0 saved', 'reminder/state', 'reminder/subscribe'])
  })

  test('come at the chosen time once the student agrees, until they are turned off', async () => {
    const form = await open()
    await agree(form)
    await screen.findByText('已开启推送提醒')
    await form.findByRole('button', { name: '关闭这台设备的推送' })
    // They go up with the rest of the record, which a page of another student does not send.
    const [reminderAt = '', reminderQuiet = ''] = await settings()
    await decide(server, student, { reminderAt, reminderQuiet })
    const tomorrow = startOf(dayOf(Math.max(Date.now(), server.clock.now)) + 1)
    // The server's own calls do not go through the page.
    wire.restore()
    await remind(server.db, push, () => tomorrow + 20 * 3_600_000)
    wire = connect(server)
    expect(world.browser?.messages).toHaveLength(1)

    await press(form, '关闭这台设备的推送')
    await screen.findByText('已关闭推送提醒')
    expect([world.browser, await devices()]).toEqual([null, []])
  })

  test.each<[string, () => void, string]>([
    ['has no network', () => (wire.fault = nobody), '开启推送需要联网，请联网后再试'],
    ['cannot reach its maker', () => (world.reachable = false), '连接不上浏览器的推送服务，请改用日历提醒'],
  ])('are not turned on where the browser %s, which is said', async (_, go, words) => {
    const form = await open()
    await form.findByRole('button', { name: '开启这台设备的推送' })
    go()
    await agree(form)
    await screen.findByText(words)
    await form.findByRole('button', { name: '开启这台设备的推送' })
    expect(world.browser).toBeNull()
  })

  test('of a browser that forbids them, or takes none, are not offered', async () => {
    world.allowed = 'denied'
    const form = await open()
    await form.findByText(/^浏览器已禁止本站发通知/)
    app?.close()
    Reflect.deleteProperty(navigator, 'serviceWorker')
    const again = await open()
    await again.findByText(/^这个浏览器收不到推送/)
    expect(again.queryByRole('button', { name: /推送/ })).toBeNull()
  })

  test('that another student has left behind count as off', async () => {
    world.browser = service.browser(push.publicKey)
    world.allowed = 'granted'
    const form = await open()
    await form.findByRole('button', { name: '开启这台设备的推送' })
  })
})

import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useLayoutEffect } from 'react'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { tap } from '#tests/support/tap.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'

const HOUR = 60 * 60_000
const bank = () => ({
  ...bankJson({ prefix: 'W', chapters: 1, perChapter: 0 }),
  questions: [
    { no: 'W_q1', type: 'single', stem: '第一', options: ['甲', '乙', '丙'], answer: 'B', analysis: '解析一' },
    { no: 'W_q2', type: 'blank', stem: '首都是 ___', blanks: [['北京']], analysis: '解析二' },
  ].map((question) => ({ ...question, chapter: 'W_c1' })),
})

let server: TestServer
let wire: Wire
let app: { close: () => void } | null = null
let student: Awaited<ReturnType<TestServer['student']>>
let exams = 0
let no = ''
beforeAll(async () => {
  server = await startServer()
  // A login lasts 30 days, and the tests go by today's clock.
  server.clock.now = Date.now()
  await importBank(server.db, server.mediaDir, bank())
  student = await server.student()
  // A page's owner is fixed when its files are loaded, so they are loaded as this student.
  localStorage.setItem('user', JSON.stringify(student))
  await import('#src/offline/index.ts')
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.now = Date.now()
  wire = connect(server)
  no = `W${++exams}`
  await publishExam(server.db, examJson({ no, paper: [['W_q1'], ['W_q2']] }))
  await server.call(contract.exam.apply, { no }, student.token)
  const { prepareDevice } = await import('#tests/support/app.tsx')
  prepareDevice(student)
})
afterEach(() => {
  app?.close()
  app = null
  wire.restore()
  vi.restoreAllMocks()
})

const engine = async () => (await import('#src/offline/index.ts')).offline
const open = async (path: string) => {
  app?.close()
  const { openApp } = await import('#tests/support/app.tsx')
  app = await openApp(path)
}
const attempt = async () => [...(await (await engine()).things('exam')).values()].find(({ exam }) => exam === no)
/** Sat until its first answer is kept. */
async function begin(): Promise<void> {
  await open(`/exam/exam_detail/${no}`)
  await userEvent.click(await screen.findByRole('radio', { name: /^真实/ }))
  await tap('进入考试')
  await tap('开始考试')
  await userEvent.click(await screen.findByRole('radio', { name: /^B．/ }))
  await expect
    .poll(async () => (await screen.findByRole<HTMLInputElement>('radio', { name: /^B．/ })).checked)
    .toBe(true)
}
/** So much later: by the server, which the phone has heard. */
function laterBy(heardServer: (now: number) => void, ms: number): void {
  server.clock.now = Date.now() + ms
  heardServer(server.clock.now)
}

describe('an exam whose time runs out while another page is open', () => {
  test.each([
    ['with a network', null],
    ['without one', nobody],
  ])('is handed in by itself, and the student is told there, %s', async (_, fault) => {
    const { heardServer } = await import('#src/offline/device/serverClock.ts')
    await begin()
    wire.fault = fault
    await open('/question/library')
    await screen.findByRole('link', { name: /模考进行中/ })
    laterBy(heardServer, 2 * HOUR)
    await screen.findByText(`《${no} 模考》时间已到，已自动交卷。`)
    expect(window.location.pathname).toBe('/question/library')
    await expect.poll(() => screen.queryByText(/模考进行中|正在交卷/)).toBeNull()
    expect(await attempt()).toMatchObject({ answered: 1, elapsedMs: HOUR })
  })

  test('is over also where the server says so after the time was painted and before the page listens', async () => {
    const { heardServer } = await import('#src/offline/device/serverClock.ts')
    const { readOpen } = await import('#src/features/exam/ended.ts')
    const { useLeft } = await import('#src/features/exam/useOpenSittings.ts')
    await begin()
    app?.close()
    const mine = (await readOpen()).open.find(({ sitting }) => sitting.exam === no)
    if (!mine) throw new Error('nothing has begun')
    const Left = () => {
      const leftMs = useLeft(mine)
      useLayoutEffect(() => laterBy(heardServer, 2 * HOUR), [])
      return <p>{leftMs > 0 ? 'under way' : 'over'}</p>
    }
    const { unmount } = render(<Left />)
    expect(screen.queryByText('over')).not.toBeNull()
    await expect.poll(attempt).toMatchObject({ answered: 1, elapsedMs: HOUR })
    unmount()
  })
})

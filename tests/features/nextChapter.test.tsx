import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { clear } from 'idb-keyval'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { NextChapter } from '#src/features/question/parts/NextChapter.tsx'
import { libraryListQuery } from '#src/features/question/queries.ts'
import { createQueryClient } from '#src/offline/device/cache.ts'
import { cacheStore } from '#src/offline/device/cacheStore.ts'
import { offline } from '#src/offline/index.ts'
import { session } from '#src/session/session.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'

let server: TestServer
let wire: Wire
let client: ReturnType<typeof createQueryClient>
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 2, perChapter: 2 }))
})
afterAll(() => server.close())
beforeEach(async () => {
  wire = connect(server)
  prepareDevice()
  await clear(cacheStore(offline.owner))
  client = createQueryClient(session.owner())
})
afterEach(() => {
  client.clear()
  wire.restore()
})

const onGo = vi.fn<(chapter: { no: string }) => void>()
/** Draws with the same answer as what is tested: once it says so, nothing more is to come. */
function Asked() {
  return <p>{useQuery(libraryListQuery()).status}</p>
}
/** The summary shows this at the end of a chapter. */
const show = (no = 'L_c1') =>
  render(
    <QueryClientProvider client={client}>
      <NextChapter no={no} onGo={onGo} />
      <Asked />
    </QueryClientProvider>,
  )

test('The chapter after the one that was done is offered, and a tap leads there', async () => {
  show()
  await userEvent.click(await screen.findByRole('button', { name: /^下一章：/ }))
  expect(onGo).toHaveBeenCalledWith(expect.objectContaining({ no: 'L_c2' }))
})

test('Without a network the list of libraries that is on the device offers it all the same', async () => {
  await client.fetchQuery(libraryListQuery())
  wire.fault = nobody
  show()
  await screen.findByRole('button', { name: /^下一章：/ })
})

test('Without a network and a list of libraries nothing is offered', async () => {
  wire.fault = nobody
  show()
  await screen.findByText('error')
  expect(wire.sent.length).toBeGreaterThan(0)
  expect(screen.queryByRole('button')).toBeNull()
})

test('After the last chapter of a library nothing is offered', async () => {
  show('L_c2')
  await screen.findByText('success')
  expect(screen.queryByRole('button')).toBeNull()
})

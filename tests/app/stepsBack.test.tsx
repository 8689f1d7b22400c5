import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, test } from 'vitest'
import { Providers } from '#src/app/providers.tsx'
import { createAppRouter, followHistory } from '#src/app/router.ts'
import { createQueryClient } from '#src/offline/device/cache.ts'
import { session } from '#src/session/session.ts'
import { connect, json, nobody, type Wire } from '#tests/support/wire.ts'

let wire: Wire
afterEach(() => {
  cleanup()
  wire.restore()
})

test('history back while the first screen is still on its way shows the page of the address', async () => {
  const { promise: heard, resolve: hear } = Promise.withResolvers<void>()
  wire = connect()
  const directions = [{ key: 'jg', name: '军官', child: [{ key: 'jg', name: '高中士兵考军官院校' }] }]
  wire.fault = async (sent, signal) => {
    await heard
    if (!sent.path.endsWith('/structural/getList')) return nobody(sent, signal)
    return json({ success: true, status: 1, msg: '', data: directions })
  }
  // A new device has no direction, so that its first screen waits for the network.
  window.history.replaceState(null, '', '/platform_promise')
  window.history.pushState(null, '', '/question/library')
  const queryClient = createQueryClient(session.owner(), () => {})
  const router = createAppRouter(queryClient)
  followHistory(router)
  void router.load()
  const stepped = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }))
  window.history.back()
  await stepped
  render(<Providers queryClient={queryClient} router={router} />)
  hear()
  await screen.findByRole('heading', { level: 1, name: '平台承诺' })
})

import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { MEDIA_DB } from '#src/offline/device/names.ts'

test('what another thread says on a channel is not heard in this one', async () => {
  const channel = new BroadcastChannel(MEDIA_DB)
  const heard: unknown[] = []
  const ended = new Promise<void>((done) => {
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      heard.push(data)
      if (data === 'addressed to this thread') done()
    }
  })
  const other = new Worker(
    `const { workerData } = require('node:worker_threads')
    for (const [name, words] of workerData) new BroadcastChannel(name).postMessage(words)`,
    {
      eval: true,
      workerData: [
        [MEDIA_DB, 'of another device'],
        [channel.name, 'addressed to this thread'],
      ],
    },
  )
  await ended
  expect(heard).toEqual(['addressed to this thread'])
  channel.close()
  await other.terminate()
})

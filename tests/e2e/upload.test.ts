import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { setStage } from './stage.ts'

const stage = setStage()
const MB = 1024 * 1024

/** A photo as phones make them, wide, of 50 megapixels, red on its left half, with notes of the camera: turned a quarter, and where it was taken. */
async function aPhoto(page: Page): Promise<Buffer> {
  const plain = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 8640, height: 5760 })
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no canvas')
    context.fillStyle = '#00f'
    context.fillRect(0, 0, 8640, 5760)
    context.fillStyle = '#f00'
    context.fillRect(0, 0, 4320, 5760)
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
  })
  const jpeg = Buffer.from(plain, 'base64')
  // TIFF, big end first: one note, orientation 6, and a text behind it.
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex')
  const body = Buffer.concat([Buffer.from('Exif\0\0'), tiff, Buffer.from('GPS 39.9N 116.4E')])
  const length = Buffer.from([0xff, 0xe1, 0, body.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), length, body, jpeg.subarray(2)])
}

/** Width, height and the colours in the middle of the upper and the lower half, of a picture as the page shows it. */
const seen = (page: Page, address: string) =>
  page.evaluate(async (address) => {
    const picture = await createImageBitmap(await (await fetch(address)).blob())
    const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height })
    const context = canvas.getContext('2d')
    context?.drawImage(picture, 0, 0)
    const red = (y: number) => (context?.getImageData(picture.width / 2, picture.height * y, 1, 1).data[0] ?? 0) > 128
    return { width: picture.width, height: picture.height, red: [red(0.25), red(0.75)] }
  }, address)

test('a portrait is cut and cleaned on the phone; cut off from the network it stays in the form, and goes up when tried again', async () => {
  const { uid } = await stage.student()
  await stage.open('/user/my_userinfo')
  const { page } = stage.phone
  const trouble: string[] = []
  // But for what the browser says of the network, which is cut here.
  page.on('console', (said) => {
    if (said.type() === 'error' && !said.text().startsWith('Failed to load resource')) trouble.push(said.text())
  })
  const part = page.getByRole('region', { name: '头像', exact: true })
  const photo = await aPhoto(page)
  await part.getByLabel('上传头像').setInputFiles({ name: '我的 照片.JPG', mimeType: 'image/jpeg', buffer: photo })
  await part.getByRole('img', { name: '头像预览' }).waitFor()
  await part.getByLabel('缩放').focus()
  await page.keyboard.press('ArrowRight')

  // A worker that is still being installed would say itself that the network has gone.
  await workerReady(page)
  await stage.product.wire.set('down')
  await part.getByRole('button', { name: '保存头像' }).click()
  await part.getByRole('alert').getByText('当前没有网络，图片还在这里，联网后点“重试”。').waitFor()
  expect(trouble).toEqual([])
  await stage.product.wire.set('ok')
  await part.getByRole('button', { name: '重试' }).click()
  await part.getByRole('img', { name: '我的头像' }).waitFor()
  const [row] = await stage.product.sql<{ portrait: string }>('select portrait from student where uid = $1', [uid])
  const portrait = row?.portrait ?? ''
  expect(decodeURI(portrait)).toMatch(/^\/bucket\/u\/[0-9a-f]{32}\/[0-9a-f]{12}\/我的 照片\.JPG$/)
  // In everybody's header, after a reload, too.
  await stage.open('/')
  const chip = page.getByRole('banner').locator('img[width="28"]')
  await expect.poll(() => chip.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(512)
  // Without a network it is still there: its address never gives another picture.
  await workerReady(page)
  await stage.phone.context.setOffline(true)
  await stage.open('/user/my_userinfo')
  await expect.poll(() => chip.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(512)
  await stage.phone.context.setOffline(false)

  // Turned as the camera said: what was left is above. Nothing of its notes has left the phone.
  expect(await seen(page, portrait)).toEqual({ width: 512, height: 512, red: [true, false] })
  const sent = Buffer.from(await (await page.request.get(stage.product.url + portrait)).body())
  expect(sent.includes('Exif')).toBe(false)
  expect(sent.includes('GPS')).toBe(false)

  await stage.open('/user/my_userinfo')
  await part.getByRole('button', { name: '移除头像' }).click()
  await part.getByText('上传头像').waitFor()
  await expect.poll(async () => (await page.request.get(stage.product.url + portrait)).status()).toBe(404)
  expect(trouble).toEqual([])
})

/**
 * The product's own client as it is built, with a picture of several megabytes that is the same each time. As text, because the
 * page has to import it, not the test.
 */
const sendBig = (chunk: string): string => `(async () => {
  const { send } = await import(${JSON.stringify(chunk)})
  const canvas = Object.assign(document.createElement('canvas'), { width: 3000, height: 3000 })
  const context = canvas.getContext('2d')
  const noise = context.createImageData(3000, 3000)
  let seed = 7
  for (let i = 0; i < noise.data.length; i++) {
    seed = (seed * 1664525 + 1013904223) >>> 0
    noise.data[i] = i % 4 === 3 ? 255 : seed >>> 24
  }
  context.putImageData(noise, 0, 0)
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9))
  const file = new File([blob], '试卷.jpg', { type: 'image/jpeg', lastModified: 1_790_000_000_000 })
  const { token } = JSON.parse(localStorage.getItem('user'))
  const headers = { authorization: token, 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await fetch('/pcapi/config/getCosImgSig', { method: 'POST', headers })
  const keys = (await answer.json()).data
  const states = []
  let part = 0
  return new Promise((resolve) => {
    void send(file, { fault: null, take: async () => keys }, {
      state: (state) => states.at(-1) !== state && states.push(state),
      part: (now) => (part = now),
      done: (url) => resolve({ url, states, part, size: file.size }),
      fail: (fault) => resolve({ fault, states, part, size: file.size }),
    })
  })
})()`
interface Outcome {
  url?: string
  fault?: { kind: string }
  states: string[]
  part: number
  size: number
}
/** The part that it sends, if it sends one. */
const partOf = (request: Request): number[] => {
  const n = new URL(request.url()).searchParams.get('partNumber')
  return request.method() === 'PUT' && n !== null ? [Number(n)] : []
}

test('a large picture whose upload was cut off goes on after a reload: only what was missing is sent', async () => {
  const { uid } = await stage.student()
  await stage.open('/')
  const { page, context } = stage.phone
  const chunk = readdirSync(path.resolve(import.meta.dirname, '../../dist/assets')).find((name) =>
    /^cos-.*\.js$/.test(name),
  )
  // A phone's network: parts take their time, so that there is a middle to cut.
  const network = await context.newCDPSession(page)
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 1.5 * MB,
  })
  const arrived = async () =>
    (
      await stage.product.sql<{ part: number }>(
        'select part from bucket_part p join bucket_upload u on u.id = p.upload_id where u.uid = $1 order by part',
        [uid],
      )
    ).map(({ part }) => part)
  const outcome = page.evaluate<Outcome>(sendBig(`/assets/${chunk}`))
  await expect.poll(arrived).not.toEqual([])
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cos_sdk_upload_cache'))).not.toBeNull()
  await stage.product.wire.set('down')
  const cut = await outcome
  expect(cut).toMatchObject({ fault: { kind: 'offline' } })
  expect(cut.size).toBeGreaterThan(4 * MB)
  expect(cut.states).toContain('uploading')
  const here = await arrived()
  const all = Array.from({ length: Math.ceil(cut.size / MB) }, (_, i) => i + 1)
  expect(here.length).toBeLessThan(all.length)

  await stage.product.wire.set('ok')
  await stage.open('/')
  const sentAgain: number[] = []
  page.on('request', (request) => sentAgain.push(...partOf(request)))
  const done = await page.evaluate<Outcome>(sendBig(`/assets/${chunk}`))
  expect(done).toMatchObject({ size: cut.size, url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/bucket\/u\//) })
  expect(sentAgain.sort((a, b) => a - b)).toEqual(all.filter((part) => !here.includes(part)))
  expect(await arrived()).toEqual([])
  const address = new URL(done.url ?? '').pathname
  expect(await seen(page, address)).toMatchObject({ width: 3000, height: 3000 })
  expect(Number((await page.request.head(stage.product.url + address)).headers()['content-length'])).toBe(cut.size)
})

import { expect, test } from 'vitest'
import sharp from 'sharp'
import {
  inflatingPdf,
  lastPagePdf,
  nestedPdf,
  picturesPdf,
  secondPagePdf,
  widePdf,
  wordyPdf,
} from '#tests/support/pdfBombs.ts'
import { memoryOfPages } from './memory.ts'
import { setStage } from './stage.ts'

const stage = setStage({ worker: false })
const made = (digit: string): string => `/media/${digit.repeat(32)}.pdf`

const open = async (digit: string, body: Uint8Array): Promise<void> => {
  const { page } = stage.phone
  await page.route(`**${made(digit)}`, (route) =>
    route.fulfill({ body: Buffer.from(body), contentType: 'application/pdf' }),
  )
  await stage.beVisitor()
  await stage.open(`/pdf/${encodeURIComponent(made(digit))}`)
}

test.each([
  ['inflates to two gigabytes', '1', inflatingPdf],
  ['inflates twice', '2', nestedPdf],
  ['has a million words on a page', '3', () => wordyPdf(1_000_000)],
  ['shows a hundred large pictures on a page', '5', () => picturesPdf(100, 3000)],
])('a small document that %s is closed before it fills the phone, and its file is offered', async (_, digit, make) => {
  await open(digit, make())
  const { page } = stage.phone
  await page.getByRole('heading', { name: '文档太复杂，已停止打开' }).waitFor()
  expect(memoryOfPages('VmHWM')).toBeLessThan(1100)
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '保存文档' }).click(),
  ])
  expect(saved.suggestedFilename()).toMatch(/\.pdf$/)
  // The app goes on.
  await page.getByRole('button', { name: '返回' }).click()
  await page.getByRole('heading', { name: '文档太复杂，已停止打开' }).waitFor({ state: 'detached' })
})

test('a page with a million lines says so in its place, and the others are read', async () => {
  await open('4', secondPagePdf(1_000_000))
  const { page } = stage.phone
  await page.getByText('Hello').first().waitFor({ state: 'attached' })
  const second = page.getByRole('region', { name: '第2页', exact: true })
  await second.getByText('这一页内容太多').waitFor({ state: 'attached' })
  await expect.poll(() => page.locator('section canvas').count()).toBe(1)
  expect(await page.getByText('这一页内容太多').count()).toBe(1)
  expect(memoryOfPages('VmHWM')).toBeLessThan(900)
})

test('a page whose pictures are too much says so in its place, whichever pages were opened before it', async () => {
  const side = 2_000
  const flat = { create: { width: side, height: side, channels: 3, background: '#8a7' } } as const
  await open('8', lastPagePdf(19, 30, await sharp(flat).jpeg().toBuffer(), side))
  const { page } = stage.phone
  await page.getByText('Hello').first().waitFor({ state: 'attached' })
  const field = page.getByRole('textbox', { name: /^页码/ })
  await field.fill('20')
  await field.press('Enter')
  const last = page.getByRole('region', { name: '第20页', exact: true })
  await last.getByText('这一页内容太多').waitFor({ state: 'attached' })
  expect(await page.getByText('这一页内容太多').count()).toBe(1)
})

test.each([
  ['as wide as a room', '6', 20_000, 20_000],
  ['as long as a room', '7', 200, 20_000],
])('a page %s is drawn within what a canvas may be', async (_, digit, width, height) => {
  await open(digit, widePdf(width, height))
  const { page } = stage.phone
  await page.locator('section canvas').first().waitFor({ state: 'attached' })
  for (let i = 0; i < 6; i++) await page.getByRole('button', { name: '放大' }).click()
  const canvas = () =>
    page.locator('section canvas').evaluate((element) => {
      if (!(element instanceof HTMLCanvasElement)) throw new Error('no canvas')
      const [alpha] =
        element
          .getContext('2d')
          ?.getImageData(5, element.height - 5, 1, 1)
          .data.slice(3) ?? []
      return { pixels: element.width * element.height, side: Math.max(element.width, element.height), alpha }
    })
  await expect.poll(async () => (await canvas()).alpha).toBe(255)
  const { pixels, side } = await canvas()
  expect(pixels).toBeLessThanOrEqual(12_000_000)
  expect(side).toBeLessThanOrEqual(8192)
})

import { fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import '#src/features/account/portraitEditor/PortraitEditor.tsx'
import { openApp, prepareDevice } from '#tests/support/app.tsx'
import { standInPictures } from '#tests/support/pictures.ts'
import { type StorageServer, startStorageServer } from '#tests/support/storageServer.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'

let server: StorageServer
let wire: Wire
let pictures: ReturnType<typeof standInPictures>
let app: Awaited<ReturnType<typeof openApp>> | null = null
beforeAll(async () => {
  server = await startStorageServer()
})
afterAll(() => server.close())
beforeEach(() => {
  wire = connect(server)
  pictures = standInPictures()
  server.came.length = 0
  server.onCame = () => {}
})
afterEach(() => {
  app?.close()
  app = null
  wire.restore()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function openAccount() {
  const student = await server.student()
  prepareDevice(student)
  app = await openApp('/user/my_userinfo')
  const part = within(await screen.findByRole('region', { name: '头像' }))
  await screen.findAllByText(/\*\*\*\*/)
  return { ...student, part }
}
const photo = (name = '我的 照片.png', text = 'picture') =>
  new File([text], name, { type: 'image/png', lastModified: 1 })
const pick = async ({ part }: Awaited<ReturnType<typeof openAccount>>, file = photo()) => {
  await userEvent.upload(part.getByLabelText(/^(上传|更换)头像$/), file)
}
const portraitOf = async (token: string) => (await server.call(contract.user.getUserInfo, {}, token)).portrait

describe('头像', () => {
  test('is cut from the middle unless said otherwise, sent, saved, and shown here and in the header', async () => {
    const account = await openAccount()
    await pick(account)
    await account.part.findByRole('img', { name: '头像预览' })
    await expect.poll(() => pictures.drawn.at(-1)).toEqual([300, 0, 1000, 1000, 0, 0, 384, 384])
    fireEvent.change(account.part.getByLabelText('缩放'), { target: { value: '2' } })
    fireEvent.change(account.part.getByLabelText('左右'), { target: { value: '0' } })
    expect(pictures.drawn.at(-1)).toEqual([0, 250, 500, 500, 0, 0, 384, 384])
    await userEvent.click(account.part.getByRole('button', { name: '保存头像' }))
    const shown = await account.part.findByRole<HTMLImageElement>('img', { name: '我的头像' })
    expect(pictures.drawn.at(-1)).toEqual([0, 250, 500, 500, 0, 0, 512, 512])
    const portrait = await portraitOf(account.token)
    expect(decodeURI(portrait)).toMatch(/^\/bucket\/u\/[0-9a-f]{32}\/[0-9a-f]{12}\/我的 照片\.png$/)
    expect(shown.getAttribute('src')).toBe(portrait)
    expect(screen.getByRole('banner').querySelector(`img[src="${portrait}"]`)).not.toBeNull()
    expect(account.part.queryByRole('button', { name: '保存头像' })).toBeNull()
    expect((await screen.findAllByText('保存成功')).length).toBeGreaterThan(0)
  })

  test('shows the part of the picture that it is dragged to', async () => {
    const account = await openAccount()
    await pick(account)
    const preview = await account.part.findByRole('img', { name: '头像预览' })
    vi.spyOn(preview, 'clientWidth', 'get').mockReturnValue(200)
    preview.setPointerCapture = () => {}
    // 320 px wide as it is shown, of which 200 are seen: 60 px to the right is the left end.
    fireEvent.pointerDown(preview, { clientX: 100, clientY: 100, pointerId: 1 })
    fireEvent.pointerMove(preview, { clientX: 160, clientY: 150, pointerId: 1 })
    expect(pictures.drawn.at(-1)?.slice(0, 4)).toEqual([0, 0, 1000, 1000])
    fireEvent.pointerMove(preview, { clientX: -500, clientY: 100, pointerId: 1 })
    expect(pictures.drawn.at(-1)?.slice(0, 4)).toEqual([600, 0, 1000, 1000])
    fireEvent.pointerUp(preview, { pointerId: 1 })
    fireEvent.pointerMove(preview, { clientX: 160, clientY: 100, pointerId: 1 })
    expect(pictures.drawn.at(-1)?.slice(0, 4)).toEqual([600, 0, 1000, 1000])
  })

  test.each([
    [photo('a.heic', 'no'), '这个浏览器打不开 HEIC 照片，请先把它存成 JPG，或在相机设置里选“兼容性最佳”。'],
    [new File(['<svg/>'], 'a.svg', { type: 'image/svg+xml' }), '不支持 SVG 图片，请换一张 JPG、PNG 或 WebP 图片。'],
    [photo('a.SVG'), '不支持 SVG 图片，请换一张 JPG、PNG 或 WebP 图片。'],
    [photo('a.jpg', 'no'), '这张图片打不开，可能已损坏，请换一张。'],
    [Object.defineProperty(photo(), 'size', { value: 40 * 1024 * 1024 + 1 }), '这张图片超过 40 MB，请先缩小再上传。'],
  ])('%o that cannot be opened says why, and another can be picked', async (file, words) => {
    const account = await openAccount()
    await pick(account, file)
    expect((await account.part.findByRole('alert')).textContent).toBe(words)
    await pick(account)
    await account.part.findByRole('img', { name: '头像预览' })
    expect(account.part.queryByRole('alert')).toBeNull()
    expect(server.came).toEqual([])
  })

  test('that claims to be larger than any camera makes is not decoded', async () => {
    pictures = standInPictures({ width: 20_000, height: 20_000 })
    const account = await openAccount()
    await pick(account)
    expect((await account.part.findByRole('alert')).textContent).toBe('这张图片的尺寸太大，请先缩小再上传。')
    expect([pictures.drawn, pictures.picked.size]).toEqual([[], 0])
  })

  test('of 50 megapixels is worked on as 2048 at most', async () => {
    pictures = standInPictures({ width: 8192, height: 6144 })
    const account = await openAccount()
    await pick(account)
    await account.part.findByRole('img', { name: '头像预览' })
    expect(pictures.drawn[0]).toEqual([0, 0, 2048, 1536])
    expect(pictures.picked.size).toBe(0)
  })

  test('without a network the picture stays in the form and goes up when tried again', async () => {
    const account = await openAccount()
    await pick(account)
    await account.part.findByRole('img', { name: '头像预览' })
    wire.fault = nobody
    await userEvent.click(account.part.getByRole('button', { name: '保存头像' }))
    expect((await account.part.findByRole('alert')).textContent).toBe(
      '上传失败当前没有网络，图片还在这里，联网后点“重试”。',
    )
    wire.fault = null
    await userEvent.click(account.part.getByRole('button', { name: '重试' }))
    await account.part.findByRole('img', { name: '我的头像' })
  })

  test('that went up but could not be saved is saved later, and not sent again', async () => {
    const account = await openAccount()
    await pick(account)
    await account.part.findByRole('img', { name: '头像预览' })
    wire.fault = (sent, signal) => (sent.path === '/pcapi/user/save' ? nobody(sent, signal) : null)
    await userEvent.click(account.part.getByRole('button', { name: '保存头像' }))
    await account.part.findByText('当前没有网络，图片已上传，联网后点“保存头像”。')
    expect(account.part.getByText('上传成功')).toBeTruthy()
    wire.fault = null
    await userEvent.click(account.part.getByRole('button', { name: '保存头像' }))
    await account.part.findByRole('img', { name: '我的头像' })
    expect(server.came.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })

  test('can be given up while it goes up, cut again, and given up altogether', async () => {
    const account = await openAccount()
    await pick(account)
    await account.part.findByRole('img', { name: '头像预览' })
    await server.line.set('hang')
    await userEvent.click(account.part.getByRole('button', { name: '保存头像' }))
    expect(await account.part.findByRole('progressbar', { name: '上传进度' })).toBeTruthy()
    await account.part.findByText('上传中')
    await userEvent.click(account.part.getByRole('button', { name: '取消上传' }))
    await account.part.findByText('已取消')
    await server.line.set('ok')
    await userEvent.click(account.part.getByRole('button', { name: '重新裁剪' }))
    await account.part.findByRole('img', { name: '头像预览' })
    await userEvent.click(account.part.getByRole('button', { name: '不换了' }))
    expect(account.part.queryByRole('img', { name: '头像预览' })).toBeNull()
    expect(await portraitOf(account.token)).toBe('')
  })

  test('is removed', async () => {
    const account = await openAccount()
    await pick(account)
    await account.part.findByRole('img', { name: '头像预览' })
    await userEvent.click(account.part.getByRole('button', { name: '保存头像' }))
    await account.part.findByRole('img', { name: '我的头像' })
    await userEvent.click(account.part.getByRole('button', { name: '移除头像' }))
    await account.part.findByLabelText('上传头像')
    expect(account.part.queryByRole('img', { name: '我的头像' })).toBeNull()
    expect(await portraitOf(account.token)).toBe('')
  })
})

import { beginning, onDisk } from '#tests/support/drafts.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Address } from '#src/contract/address.ts'
import { contract } from '#src/contract/index.ts'
import { AddressBook } from '#src/features/address/AddressBook.tsx'
import { createQueryClient } from '#src/offline/device/cache.ts'
import { offline } from '#src/offline/index.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const { myAddress, saveAddress } = contract.user
const PASTED = '李小四 13900002222 广东省深圳市南山区科苑路15号'
const HOME = { name: '张三', mobile: '13800001111', province: '430000', city: '430100', district: '430105' }

const stage = setScreens()
afterEach(async () => {
  stage.close()
  // The engine's owner is that of the page, which all these tests share.
  for (const { key } of await offline.drafts(beginning('address'))) await offline.dropDraft(onDisk(key))
})

/** 收货地址 of a student who has saved these, one after another. */
async function openAddresses(...details: string[]) {
  const student = await stage.server.student()
  for (const [i, detail] of details.entries()) {
    stage.server.clock.now += 1_000
    const newId = `019a0000-0000-7000-8000-00000000000${i}`
    await stage.server.call(saveAddress, { newId, ...HOME, detail }, student.token)
  }
  prepareDevice(student)
  await reopen()
  return student
}
const reopen = async () => {
  await stage.open('/user/my_address')
  await screen.findByRole('heading', { level: 1, name: '收货地址' })
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label)
const region = () => screen.findByRole('button', { name: /^省市区/ })
const addresses = async () =>
  within(await screen.findByRole('list', { name: '收货地址' }))
    .getAllByRole('article')
    .map(({ textContent }) => textContent.replace(/(设为默认)?编辑删除$/, ''))
const row = async (detail: string) => within(await screen.findByRole('article', { name: new RegExp(detail) }))

describe('收货地址', () => {
  test('none is said; a pasted text fills the form, and saved it is the default', async () => {
    const { token } = await openAddresses()
    expect(await screen.findByText('还没有收货地址')).toBeTruthy()
    await press('新增收货地址')
    await expect.poll(async () => (await region()).matches(':enabled')).toBe(true)
    await userEvent.type(await field('粘贴识别'), PASTED)
    await press('识别并填写')
    expect((await field('收件人')).value).toBe('李小四')
    expect((await field('手机号')).value).toBe('13900002222')
    expect((await region()).textContent).toBe('广东省 深圳市 南山区')
    expect((await field('详细地址')).value).toBe('科苑路15号')
    expect(await screen.findByText('已填好，请核对')).toBeTruthy()
    await press('保存')
    await expect.poll(addresses).toEqual(['李小四 13900002222默认广东省深圳市南山区 科苑路15号'])
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(await stage.server.call(myAddress, {}, token)).toMatchObject([
      { district: { name: '南山区' }, isDefault: true },
    ])
  })

  test('a text that says less fills what it says, and names the rest', async () => {
    await openAddresses()
    await press('新增收货地址')
    await expect.poll(async () => (await region()).matches(':enabled')).toBe(true)
    await userEvent.type(await field('收件人'), '王五')
    await userEvent.type(await field('粘贴识别'), '13900002222 中山路5号')
    await press('识别并填写')
    expect(await screen.findByText('没有认出收件人、省市区，请手动填写')).toBeTruthy()
    expect((await field('收件人')).value).toBe('王五')
    expect((await field('详细地址')).value).toBe('中山路5号')
  })

  test('province, city and district are chosen one after another, by keys alone', async () => {
    await openAddresses()
    await press('新增收货地址')
    await expect.poll(async () => (await region()).matches(':enabled')).toBe(true)
    ;(await region()).focus()
    await userEvent.keyboard('{Enter}')
    const chosen = () => document.activeElement?.textContent
    expect(chosen()).toBe('北京市')
    await userEvent.keyboard('{ArrowRight}{ArrowDown}{Enter}')
    expect(chosen()).toBe('石家庄市')
    await userEvent.keyboard('{ArrowDown}{Enter}')
    expect(chosen()).toBe('路南区')
    await userEvent.keyboard('{Enter}')
    expect((await region()).textContent).toBe('河北省 唐山市 路南区')
    // A municipality has one city, and a city without districts ends the choice.
    await userEvent.click(await region())
    await press('河北省')
    await press('北京市')
    await press('海淀区')
    expect((await region()).textContent).toBe('北京市 海淀区')
    await userEvent.click(await region())
    await press('北京市')
    await press('广东省')
    await press('东莞市')
    expect((await region()).textContent).toBe('广东省 东莞市')
  })

  test('says what is missing of each field, and sends nothing', async () => {
    await openAddresses()
    await press('新增收货地址')
    await expect.poll(async () => (await region()).matches(':enabled')).toBe(true)
    await userEvent.type(await field('手机号'), '1380000')
    await press('保存')
    for (const told of ['请输入收件人', '请输入合法的手机号', '请选择省市区', '请输入详细地址'])
      expect(screen.getByText(told)).toBeTruthy()
    expect(document.activeElement).toBe(await field('收件人'))
    expect(stage.wire.sent.some(({ path }) => path.endsWith('saveAddress'))).toBe(false)
    // What is mended is not wrong any more, and who types in it stays there.
    await userEvent.type(await field('收件人'), '王小兵')
    expect((await field('收件人')).value).toBe('王小兵')
    expect(screen.queryByText('请输入收件人')).toBeNull()
  })

  test('one is changed, made the default, and deleted once that is confirmed', async () => {
    await openAddresses('1号', '2号')
    expect(await addresses()).toEqual([
      '张三 13800001111默认湖南省长沙市开福区 1号',
      '张三 13800001111湖南省长沙市开福区 2号',
    ])
    await userEvent.click((await row('2号')).getByRole('button', { name: '设为默认' }))
    await expect.poll(async () => (await addresses())[0]).toContain('默认湖南省长沙市开福区 2号')
    await userEvent.click((await row('1号')).getByRole('button', { name: '编辑' }))
    await userEvent.clear(await field('详细地址'))
    await userEvent.type(await field('详细地址'), '一号')
    await press('保存')
    await expect.poll(async () => (await addresses())[1]).toContain('一号')
    await userEvent.click((await row('2号')).getByRole('button', { name: '删除' }))
    await press('不删除')
    expect(await addresses()).toHaveLength(2)
    await userEvent.click((await row('2号')).getByRole('button', { name: '删除' }))
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '删除' }))
    await expect.poll(addresses).toEqual(['张三 13800001111默认湖南省长沙市开福区 一号'])
  })
})

test('where one is asked for, one is chosen; the chosen one is marked', async () => {
  await openAddresses('1号', '2号')
  stage.close()
  const onPick = vi.fn<(picked: Address) => void>()
  const id = '019a0000-0000-7000-8000-000000000000'
  const { unmount } = render(
    <QueryClientProvider client={createQueryClient('anon')}>
      <AddressBook chosen={id} onPick={onPick} />
    </QueryClientProvider>,
  )
  expect(await screen.findByRole('button', { name: /1号/, pressed: true })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /2号/, pressed: false }))
  expect(onPick).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ detail: '2号' }))
  unmount()
})

describe('without a network', () => {
  test('saving says that it needs one and keeps what was typed, also after a reload; with one it is saved once', async () => {
    const { token } = await openAddresses('1号')
    await press('新增收货地址')
    await expect.poll(async () => (await region()).matches(':enabled')).toBe(true)
    await userEvent.type(await field('粘贴识别'), PASTED)
    await press('识别并填写')
    // The server takes it, and the phone never hears: sent again, it is the same address.
    stage.wire.fault = async (sent, signal) => {
      if (!sent.path.endsWith('saveAddress')) return nobody(sent, signal)
      await stage.server.app.inject({
        method: 'POST',
        url: sent.path,
        headers: { ...sent.headers, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(sent.body).toString(),
      })
      return nobody(sent, signal)
    }
    await press('保存')
    expect(await screen.findByText(/没有保存：保存地址需要网络。填写的内容已留在这台设备上/)).toBeTruthy()
    stage.wire.fault = nobody
    await reopen()
    const kept = within(await screen.findByRole('region', { name: '没有保存的地址' }))
    expect(kept.getByText('有一个新地址还没有保存：李小四，科苑路15号')).toBeTruthy()
    stage.wire.fault = null
    await userEvent.click(kept.getByRole('button', { name: '继续填写' }))
    expect(await screen.findByText('已恢复上次没有保存的内容')).toBeTruthy()
    expect((await field('详细地址')).value).toBe('科苑路15号')
    await press('保存')
    await expect.poll(() => stage.server.call(myAddress, {}, token)).toHaveLength(2)
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByRole('region', { name: '没有保存的地址' })).toBeNull()
  })

  test('a change that was left is told of, goes on where it was, and can be given up', async () => {
    await openAddresses('1号')
    await userEvent.click((await row('1号')).getByRole('button', { name: '编辑' }))
    await userEvent.type(await field('详细地址'), '楼上')
    await press('关闭')
    const kept = await screen.findByRole('region', { name: '没有保存的地址' })
    expect(kept.textContent).toContain('有一处修改还没有保存：张三，1号楼上')
    await userEvent.click(within(kept).getByRole('button', { name: '继续填写' }))
    expect((await field('详细地址')).value).toBe('1号楼上')
    await press('清空')
    expect((await field('详细地址')).value).toBe('1号')
    await press('关闭')
    await screen.findByRole('article', { name: /1号/ })
    expect(screen.queryByRole('region', { name: '没有保存的地址' })).toBeNull()
  })

  test('the list says that it needs the network', async () => {
    prepareDevice(await stage.server.student())
    stage.wire.fault = nobody
    await reopen()
    expect((await screen.findByRole('alert')).textContent).toContain('收货地址需要联网查看')
    expect(screen.getByRole('button', { name: '新增收货地址' }).matches(':enabled')).toBe(true)
  })
})

import { fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import {
  bookJson,
  booksJson,
  packageJson,
  publishBooks,
  publishVip,
  sell,
  variantJson,
  vipJson,
} from '#tests/support/shop.ts'
import { tap } from '#tests/support/tap.ts'
import { json, nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const stage = setScreens(async (server) => {
  await publishVip(server, vipJson(packageJson('V')))
  await publishBooks(
    server,
    booksJson(
      bookJson('PAST', 12, { title: '历年真题', kind: 'past' }),
      bookJson('OUT', 0, { title: '售罄的书' }),
      bookJson('POCKET', 0, {
        title: '口袋书',
        variants: [
          variantJson('POCKET_1', { name: '纸书', price: 1990, stock: [{ receipt: 'R', count: 3 }] }),
          variantJson('POCKET_2', { name: '纸书＋激活码', price: 2990, gives: 'V_month' }),
          variantJson('POCKET_3', { name: '十本装', price: 15_000, stock: [{ receipt: 'R', count: 500 }] }),
        ],
      }),
    ),
  )
})

const { open } = stage
const titles = async () =>
  within(await screen.findByRole('list', { name: '图书' }))
    .getAllByRole('button')
    .map((card) => card.querySelector('strong')?.textContent)
const OLD = /价格以联网为准/
describe('the list of books', () => {
  test('says price, how many were sold, 0 included, and what is left; what can be had first; goes by kind, words and order', async () => {
    await open('/store/store_list')
    expect(await titles()).toEqual(['历年真题', '口袋书', '售罄的书'])
    const pocket = screen.getByRole('button', { name: /口袋书/ }).textContent
    expect(pocket).toContain('¥19.90')
    expect(pocket).toContain('有货')
    expect(pocket).toContain('已售 0')
    expect(pocket).not.toContain('503')
    expect(screen.getByRole('button', { name: /售罄的书/ }).textContent).toContain('售罄')
    expect(screen.queryByText(OLD)).toBeNull()
    await tap('真题')
    expect(await titles()).toEqual(['历年真题'])
    await tap('全部')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: '排序' }), '价格从低到高')
    expect(await titles()).toEqual(['口袋书', '历年真题', '售罄的书'])
    await userEvent.type(screen.getByRole('textbox', { name: '搜索图书' }), '口袋')
    await expect.poll(titles).toEqual(['口袋书'])
    await userEvent.type(screen.getByRole('textbox', { name: '搜索图书' }), '没有')
    expect(await screen.findByText('暂无更多...')).toBeTruthy()
  })

  test('is found as it was by who comes back from a book', async () => {
    await open('/store/store_list')
    await tap('手册')
    await userEvent.type(screen.getByRole('textbox', { name: '搜索图书' }), '口袋')
    await expect.poll(titles).toEqual(['口袋书'])
    await tap(/^口袋书/)
    await screen.findByRole('heading', { level: 1, name: '口袋书' })
    stage.app?.router.history.back()
    expect(await screen.findByRole('textbox', { name: '搜索图书' })).toHaveProperty('value', '口袋')
    expect(await titles()).toEqual(['口袋书'])
    expect(screen.getByRole('button', { name: '手册' }).getAttribute('aria-pressed')).toBe('true')
  })

  test('says that what it shows is old when nobody can be asked, and no more when somebody can', async () => {
    stage.wire.fault = (sent, signal) => (sent.path.endsWith('store/prices') ? nobody(sent, signal) : null)
    await open('/store/store_list')
    expect((await screen.findByText(OLD)).textContent).toBe('这里是上次看到的价格和库存，价格以联网为准')
    stage.wire.fault = null
    await open('/store/store_list')
    await titles()
    await expect.poll(() => screen.queryByText(OLD)).toBeNull()
  })

  test('without a network, never opened, says so and can be tried again', async () => {
    stage.wire.fault = nobody
    await open('/store/store_list')
    expect((await screen.findByRole('alert')).textContent).toContain('此内容尚未下载，联网后可查看')
    stage.wire.fault = null
    await tap('重试')
    expect(await titles()).toHaveLength(3)
  })
})

describe('a book', () => {
  const price = async () => (await screen.findByText(/^合计/)).textContent
  const stock = () => screen.getByText(/：(售罄|仅剩 \d+ 件|库存 \d+ 件)$/).textContent
  const quantity = () => screen.getByRole('textbox', { name: '购买数量' })

  test('is chosen by variant and number, never more than there are; buying says why it is shut', async () => {
    await open('/store/store_list')
    await tap(/口袋书/)
    await screen.findByRole('heading', { level: 1, name: '口袋书' })
    expect(await price()).toContain('¥19.90')
    const buys = () => screen.getByRole('link', { name: '立即购买' }).getAttribute('href')
    expect(buys()).toBe('/order/payment/book-POCKET-1-POCKET_1')

    const [less, more] = [screen.getByRole('button', { name: '减少' }), screen.getByRole('button', { name: '增加' })]
    expect(less.matches(':disabled')).toBe(true)
    await userEvent.click(more)
    await userEvent.click(more)
    expect(more.matches(':disabled')).toBe(true)
    expect(screen.getByText('库存只有 3 件')).toBeTruthy()
    expect(await price()).toContain('¥59.70')
    await userEvent.clear(quantity())
    await userEvent.type(quantity(), '20{Enter}')
    expect(quantity()).toHaveProperty('value', '3')
    expect(buys()).toBe('/order/payment/book-POCKET-3-POCKET_1')

    expect(stock()).toBe('纸书：仅剩 3 件')
    expect(screen.getByRole('radio', { name: /^纸书.*19\.90 · 仅剩 3 件/ })).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: /十本装/ }))
    expect(stock()).toBe('十本装：库存 500 件')
    await userEvent.clear(quantity())
    await userEvent.type(quantity(), '500')
    await userEvent.tab()
    expect(quantity()).toHaveProperty('value', '99')
    expect(screen.getByText('一次最多买 99 件')).toBeTruthy()
    expect(await price()).toContain('¥14850.00')

    await userEvent.click(screen.getByRole('radio', { name: /激活码.*售罄/ }))
    expect(screen.getByText('附激活码：V会员 30 天')).toBeTruthy()
    expect(stock()).toBe('纸书＋激活码：售罄')
    expect(screen.getByRole('button', { name: '售罄' }).matches(':disabled')).toBe(true)
    expect(screen.getByText(/“纸书＋激活码”已售罄.*其他规格还有货/)).toBeTruthy()
    expect(quantity().matches(':disabled')).toBe(true)
  })

  test('is sold out only when all of its variants are, in the list and on its page', async () => {
    await open('/store/store_detail/OUT')
    await screen.findByRole('heading', { level: 1, name: '售罄的书' })
    expect(screen.getByRole('button', { name: '售罄' }).matches(':disabled')).toBe(true)
    expect(screen.getByText('这本书的全部规格都已售罄，补货后可以购买。')).toBeTruthy()
    const stocked = (no: string, stock: number) =>
      stage.server.db.updateTable('book_variant').set({ stock }).where('no', '=', no).execute()
    const inList = async () => {
      await open('/store/store_list')
      return (await screen.findByRole('button', { name: /口袋书/ })).textContent
    }
    await stocked('POCKET_3', 0)
    expect(await inList()).toContain('共剩 3 件')
    await stocked('POCKET_1', 0)
    expect(await inList()).toContain('售罄')
    await stocked('POCKET_1', 3)
    await stocked('POCKET_3', 500)
  })

  test('shows its pictures one by one, by the arrow keys; one that is not here leaves its room and its name', async () => {
    await open('/store/store_detail/PAST')
    const cover = await screen.findByRole('img', { name: '历年真题：封面' })
    const dots = screen.getByRole('group', { name: '选择图片' })
    await userEvent.click(within(dots).getByRole('radio', { name: '第 1 张：封面' }))
    await userEvent.keyboard('{ArrowRight}')
    expect(within(dots).getByRole('radio', { name: '第 2 张：目录' })).toHaveProperty('checked', true)
    fireEvent.error(cover)
    expect((await screen.findByRole('img', { name: '历年真题：封面' })).tagName).toBe('SPAN')
  })

  test('what was kept gives way to what is asked now: another price, fewer left, sold no more', async () => {
    await open('/store/store_detail/PAST')
    expect(await price()).toContain('¥26.00')
    await stage.server.db.updateTable('book_variant').set({ price: 3000 }).where('no', '=', 'PAST_1').execute()
    await sell(stage.server, 'PAST_1', 11)
    const kept = await (await fetch('/pcapi/store/detail?no=PAST')).json()
    const [variant] = kept.data.variants
    kept.data.variants = [{ ...variant, price: 2600, stock: 12 }]
    stage.wire.fault = (sent) => (sent.path.endsWith('store/detail') ? json(kept) : null)
    await open('/store/store_detail/PAST')
    await expect.poll(price).toContain('¥30.00')
    expect(stock()).toMatch(/：仅剩 1 件$/)
    await publishBooks(
      stage.server,
      booksJson(bookJson('PAST', 12, { title: '历年真题', kind: 'past', withdrawn: true })),
    )
    await open('/store/store_detail/PAST')
    expect(await screen.findByText('这本书已下架，不再出售。')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /购买/ })).toBeNull()
  })

  test('that is not there says so and leads back; an address that names none is no page', async () => {
    await open('/store/store_detail/NONE')
    expect((await screen.findByRole('alert')).textContent).toContain('图书不存在或已下架，请返回看看其他图书')
    await tap('返回')
    expect(await titles()).not.toHaveLength(0)
    await open('/store/store_detail/%3Cb%3E')
    expect(await screen.findByText('抱歉，您访问的页面不存在。')).toBeTruthy()
  })
})

import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Product } from '#src/contract/order.ts'
import { useDraft } from '#src/features/order/draft.ts'
import { session } from '#src/session/session.ts'

const book = (quantity: number): Product[] => [{ kind: 'book', no: 'B', quantity, variant: 'B_1' }]
const ADDRESS = '019a0000-0000-7000-8000-000000000001'
beforeEach(() => localStorage.clear())
const opened = (quantity = 1) => renderHook(() => useDraft(book(quantity))).result

test('whoever chooses anew after an order was lost on its way makes another order, not the one of before', () => {
  const page = opened()
  act(() => page.current.change({ remark: '请放门卫' }))
  const { key } = page.current.draft
  act(() => page.current.change({ address: ADDRESS }))
  expect(page.current.draft).toMatchObject({ address: ADDRESS, remark: '请放门卫' })
  expect(page.current.draft.key).not.toBe(key)
})

test('what was typed is under a name that ends with its student, by which it goes with their account', () => {
  const page = opened()
  act(() => page.current.change({ remark: '请放门卫' }))
  expect(Object.keys(localStorage).filter((name) => name.endsWith(`:${session.owner()}`))).toHaveLength(1)
})

test('the same choices are the same order after a reload, however it is to be paid', () => {
  const page = opened()
  act(() => page.current.change({ address: ADDRESS }))
  const { key } = page.current.draft
  act(() => page.current.change({ method: 'sandbox' }))
  expect(page.current.draft).toMatchObject({ key, method: 'sandbox' })
  expect(opened().current.draft).toEqual(page.current.draft)
})

test('another number is another order with what was typed, in the page and when it is opened anew', () => {
  const page = renderHook(({ quantity }) => useDraft(book(quantity)), { initialProps: { quantity: 1 } })
  act(() => page.result.current.change({ remark: '请放门卫' }))
  const { key } = page.result.current.draft
  page.rerender({ quantity: 2 })
  const more = page.result.current.draft
  expect(more.remark).toBe('请放门卫')
  expect(more.key).not.toBe(key)
  expect(opened(3).current.draft).toMatchObject({ remark: '请放门卫' })
  expect(opened(3).current.draft.key).not.toBe(key)
})

test('what was sent as it stood is the same order after a reload', () => {
  const page = opened()
  act(() => page.current.keep())
  expect(opened().current.draft.key).toBe(page.current.draft.key)
})

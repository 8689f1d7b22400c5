import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { useDraft } from '#src/features/order/draft.ts'
import { session } from '#src/session/session.ts'

const PRODUCTS = 'book_B_1_B_1'
const ADDRESS = '019a0000-0000-7000-8000-000000000001'
beforeEach(() => localStorage.clear())
const opened = () => renderHook(() => useDraft(PRODUCTS)).result

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

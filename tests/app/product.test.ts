import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PRODUCT_NAME } from '#src/contract/config.ts'

beforeEach(() => void vi.resetModules())
afterEach(() => document.head.replaceChildren())

test('the app calls itself what the page says', async () => {
  const meta = document.createElement('meta')
  meta.name = 'application-name'
  meta.content = '军考助手'
  document.head.append(meta)
  expect((await import('#src/app/product.ts')).PRODUCT).toBe('军考助手')
})

test('a page that says nothing leaves it its own name', async () => {
  expect((await import('#src/app/product.ts')).PRODUCT).toBe(PRODUCT_NAME)
})

import { vi } from 'vitest'

type Kind = 'localStorage' | 'sessionStorage'

/** The browser refuses its storages from now on, as one does whose site data are blocked. Returns the way back. */
export function refuseStorage(...kinds: Kind[]): () => void {
  const before = kinds.map((kind) => [kind, Object.getOwnPropertyDescriptor(globalThis, kind)] as const)
  for (const kind of kinds)
    Object.defineProperty(globalThis, kind, {
      configurable: true,
      get() {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      },
    })
  return () => {
    for (const [kind, descriptor] of before)
      if (descriptor) Object.defineProperty(globalThis, kind, descriptor)
      else Reflect.deleteProperty(globalThis, kind)
  }
}

/** The modules of a page that starts now, at the address and with the history entry that the last one left. */
export async function startPage() {
  vi.resetModules()
  const [stores, reload] = await Promise.all([import('#src/device/stores.ts'), import('#src/device/reload.ts')])
  return { ...stores, ...reload }
}

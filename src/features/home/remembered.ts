import { DEVICE_KEYS } from '#src/device/keys.ts'
import type { Banner } from '#src/contract/home.ts'
import { session } from '#src/session/session.ts'
import { deviceMemory } from '#src/device/stores.ts'

const whose = (): string => {
  const { area, sg_key } = session.scope()
  return [area, sg_key].join()
}

/** The banner that stood first here last time: shown with the first paint, before anything is read. Null: none, or another's. */
export function rememberedBanner(): Banner | null {
  try {
    const { banner = null, scope } = JSON.parse(deviceMemory.get(DEVICE_KEYS.banner) ?? '{}')
    return scope === whose() ? banner : null
  } catch {
    return null
  }
}

/** @param banner null: the operator has none. */
export const rememberBanner = (banner: Banner | null): void =>
  deviceMemory.set(DEVICE_KEYS.banner, JSON.stringify({ scope: whose(), banner }))

import { type ComponentType, lazy } from 'react'

const nothing = (): null => null

/**
 * A part of a screen in a file of its own, without which the screen goes on: where the file cannot be fetched, as on a very
 * first visit that lost its network, `instead` is shown, or nothing. (A prevented preload error resolves without a module.)
 */
export const optional = <P>(load: () => Promise<ComponentType<P>>, instead: ComponentType<P> = nothing) =>
  lazy<ComponentType<P>>(async () => ({ default: (await load().catch(() => null)) ?? instead }))

import { vi } from 'vitest'

/** A browser that is driven from outside, without anything of its own added to the page. */
export interface Engine {
  name: string
  open: (url: string) => Promise<void>
  /** The JSON that an expression's promise comes to, in the page. */
  evaluate: (expression: string) => Promise<string>
  close: () => Promise<void>
}

/**
 * Calls a function in the page.
 * @param fn stands on its own: nothing of where it is written is there
 */
export async function call<Args extends readonly unknown[], T>(
  engine: Engine,
  fn: (...args: Args) => T | Promise<T>,
  ...args: Args
): Promise<T> {
  const words = args.map((each) => JSON.stringify(each)).join()
  // JSON has no undefined.
  return JSON.parse(
    await engine.evaluate(`(async () => JSON.stringify((await (${fn.toString()})(${words})) ?? null))()`),
  ) as T
}

/** Until it is so; what it came to is in the failure. */
export const until = <T>(what: string, ask: () => Promise<T>, good: (found: T) => boolean): Promise<T> =>
  vi.waitFor(
    async () => {
      const found = await ask()
      if (!good(found)) throw new Error(`${what}: ${JSON.stringify(found)}`)
      return found
    },
    { timeout: 20_000, interval: 100 },
  )

// Functions for `call`: they run in the page.
export const isHere = (label: string): boolean => document.querySelector(`[aria-label="${label}"]`) !== null
/** A tap from outside is no finger's: browsers let only what is silent play at it. */
export const mute = (): boolean => {
  const picture = document.querySelector('video')
  if (picture) picture.muted = true
  return picture !== null
}
/** The picture of a document's first page is there, and something is on it. */
export const isDrawn = (): boolean => {
  const canvas = document.querySelector<HTMLCanvasElement>('[aria-label="第1页"] canvas')
  const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
  return data?.some((value, i) => i % 4 === 0 && value < 128) ?? false
}

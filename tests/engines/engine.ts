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

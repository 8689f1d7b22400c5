import { Workbox } from 'workbox-window'

declare const __VERSION__: string

/** What the page is told of versions. */
export interface Heard {
  /** A new version has been fetched and waits. @param takeOver lets it take the place of this one in every tab */
  waits: (takeOver: () => void) => void
  /** The new version is here, whichever tab asked for it. */
  tookOver: () => void
  /** The operator has given this version up (MIN_VERSION): what it sends or shows would be wrong by now. */
  givenUp: () => void
}

/** Registers the worker; asks the server which versions it has given up. */
export async function register({ waits, tookOver, givenUp }: Heard): Promise<void> {
  const { serviceWorker } = navigator
  const workbox = new Workbox('/sw.js', { updateViaCache: 'none' })
  if (serviceWorker.controller) serviceWorker.addEventListener('controllerchange', tookOver)
  workbox.addEventListener('waiting', () => waits(() => workbox.messageSkipWaiting()))
  await workbox.register()
  if (await isGivenUp().catch(() => false)) givenUp()
}

async function isGivenUp(): Promise<boolean> {
  const answer = await fetch('/version', { cache: 'no-store' })
  return answer.ok && isOlder(__VERSION__, (await answer.text()).trim())
}

/** Of two versions 1.2.3. Nothing is older than what is no version: a captive portal gives none up. */
export function isOlder(version: string, least: string): boolean {
  if (!SHAPE.test(least)) return false
  const [own, other] = [version, least].map((text) => text.split('.').map(Number))
  const at = other?.findIndex((part, i) => part !== own?.[i]) ?? -1
  return at >= 0 && (own?.[at] ?? 0) < (other?.[at] ?? 0)
}

const SHAPE = /^\d{1,6}\.\d{1,6}\.\d{1,6}$/

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
  // Nothing waits for it: a network may take the question and never answer.
  void isGivenUp().then(
    (yes) => yes && givenUp(),
    () => {},
  )
  await workbox.register()
}

async function isGivenUp(): Promise<boolean> {
  const answer = await fetch('/version', { cache: 'no-store' })
  return answer.ok && isOlder(__VERSION__, (await answer.text()).trim())
}

/** Of two versions 1.2.3. Nothing is older than what is no version: a captive portal gives none up. */
export function isOlder(version: string, least: string): boolean {
  return SHAPE.test(least) && version.localeCompare(least, 'en', { numeric: true }) < 0
}

const SHAPE = /^\d{1,6}\.\d{1,6}\.\d{1,6}$/

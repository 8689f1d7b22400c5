import { useSyncExternalStore } from 'react'

const container = (): ServiceWorkerContainer | undefined => navigator.serviceWorker
const inCharge = (): boolean => Boolean(container()?.controller)

function subscribe(changed: () => void): () => void {
  container()?.addEventListener('controllerchange', changed)
  return () => container()?.removeEventListener('controllerchange', changed)
}

/**
 * Tells whether pages that were never opened come without a network: the worker that keeps them is in charge of this one. It is not
 * in the first moments of a first visit, nor ever where a browser has none.
 */
export const useAppHere = (): boolean => useSyncExternalStore(subscribe, inCharge)

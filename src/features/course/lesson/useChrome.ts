import { useEffect, useState } from 'react'

/** The controls over a picture. failed: the browser's own stay, which know no speed. */
export type Chrome = 'coming' | 'ready' | 'failed'

/** Brings them where they are wanted. */
export function useChrome(wanted: boolean): Chrome {
  const [chrome, setChrome] = useState<Chrome>('coming')
  useEffect(() => {
    if (!wanted) return
    let left = false
    const tell = (next: Chrome) => {
      if (!left) setChrome(next)
    }
    import('./chrome/chrome.ts').then(
      () => tell(customElements.get('media-controller') ? 'ready' : 'failed'),
      () => tell('failed'),
    )
    return () => {
      left = true
    }
  }, [wanted])
  return chrome
}

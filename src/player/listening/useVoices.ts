import { onlineManager } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { canSpeak, loadVoices, onVoices, type Voices } from './voices.ts'

const MUTE: Voices = { zh: null, en: null }
const isSame = (a: Voices | null, b: Voices): boolean =>
  a !== null && a.zh?.voiceURI === b.zh?.voiceURI && a.en?.voiceURI === b.en?.voiceURI

/**
 * The voices that read. `voices` are null until the browser has told its own; they are looked for again when it tells of others, and
 * when the network comes or goes, without which some fall silent.
 */
export function useVoices(): { voices: Voices | null; look: () => Promise<void> } {
  const [voices, setVoices] = useState(canSpeak() ? null : MUTE)
  const look = useCallback(
    () =>
      loadVoices(onlineManager.isOnline()).then((found) => {
        // The same voices come as other objects: taken for new ones, they would begin the piece again.
        setVoices((old) => (isSame(old, found) ? old : found))
      }),
    [],
  )
  useEffect(() => {
    if (!canSpeak()) return
    void look()
    const ends = [onVoices(() => void look()), onlineManager.subscribe(() => void look())]
    return () => {
      for (const end of ends) end()
    }
  }, [look])
  return { voices, look }
}

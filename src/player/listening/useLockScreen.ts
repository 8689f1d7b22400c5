import { useEffect } from 'react'
import { answerMediaKeys } from '#src/ui/mediaKeys.ts'

interface LockScreen {
  at: number
  total: number
  isPlaying: boolean
  play: () => void
  stop: () => void
  go: (to: number) => void
}

/** The lock screen and the keys of a headset go from question to question. */
export function useLockScreen({ at, total, isPlaying, play, stop, go }: LockScreen): void {
  useEffect(() => {
    if (!('mediaSession' in navigator)) return
    navigator.mediaSession.metadata = new MediaMetadata({
      title: `第 ${at + 1} 题，共 ${total} 题`,
      artist: '听题',
      artwork: [{ src: '/icon-192.png', sizes: '192x192', type: 'image/png' }],
    })
    return () => {
      navigator.mediaSession.metadata = null
    }
  }, [at, total])
  useEffect(() => {
    if (!('mediaSession' in navigator)) return
    navigator.mediaSession.playbackState = isPlaying ? 'playing' : 'paused'
    return () => {
      navigator.mediaSession.playbackState = 'none'
    }
  }, [isPlaying])
  useEffect(
    () =>
      answerMediaKeys([
        ['play', play],
        ['pause', stop],
        ['previoustrack', at > 0 ? () => go(at - 1) : null],
        ['nexttrack', at + 1 < total ? () => go(at + 1) : null],
      ]),
    [at, total, play, stop, go],
  )
}

import { useEffect, useEffectEvent, useState } from 'react'

/** How soon the server is asked again, each time later: who has paid looks now, who has gone away does not. */
const ASK_MS = [1_500, 2_500, 4_000, 6_000, 10_000, 15_000, 30_000] as const

/**
 * Asks again and again, and at once when the student comes back or wants to know.
 * @param ask asks the server; true: it is decided
 */
export function useAsking(ask: () => Promise<boolean>) {
  const [asking, setAsking] = useState(false)
  const [unheard, setUnheard] = useState(false)
  const [asked, setAsked] = useState(false)
  const askServer = useEffectEvent(async (): Promise<boolean> => {
    try {
      const done = await ask()
      setUnheard(false)
      return done
    } catch {
      setUnheard(true)
      return false
    }
  })
  useEffect(() => {
    /** Of those who ask in turn, only the one who began last goes on. */
    let round = 0
    let timer: ReturnType<typeof setTimeout>
    const turn = async (times: number, back = false) => {
      const mine = ++round
      const done = document.visibilityState === 'visible' && (await askServer())
      if (mine !== round || done) return
      if (back) setAsked(true)
      later(times + 1)
    }
    const later = (times: number) => {
      timer = setTimeout(() => void turn(times), ASK_MS[Math.min(times, ASK_MS.length - 1)])
    }
    const seen = ({ type }: Event) => {
      if (document.visibilityState !== 'visible') return
      clearTimeout(timer)
      void turn(0, type !== 'online')
    }
    later(0)
    document.addEventListener('visibilitychange', seen)
    // A provider's page may have been a window beside this one, which never hid it.
    window.addEventListener('focus', seen)
    window.addEventListener('online', seen)
    return () => {
      round = -1
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
      window.removeEventListener('focus', seen)
      window.removeEventListener('online', seen)
    }
  }, [])
  const askNow = () => {
    setAsking(true)
    const heard = (unheardNow: boolean) => () => {
      setUnheard(unheardNow)
      setAsking(false)
      setAsked(true)
    }
    void ask().then(heard(false), heard(true))
  }
  return {
    asking,
    unheard,
    /** The student asked or came back from the provider, and it was not decided yet. */
    asked,
    askNow,
  }
}

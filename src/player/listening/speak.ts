import type { Speech } from '#src/domain/text/speech.ts'
import type { Voices } from './voices.ts'

/** A voice that does not say when it has ended is waited for no longer: twice what slow reading takes. */
const longest = ({ text, lang }: Speech, rate: number): number =>
  4_000 + (text.length * (lang === 'zh' ? 600 : 200)) / rate

interface Outcome {
  onEnd: () => void
  /** The voice gave up. */
  onFailed: () => void
  /** Something else has taken its turn, such as a page that speaks, too. */
  onStopped: () => void
}

/**
 * Says one piece.
 * @param rate 1 is the voice's own
 * @returns stops it
 */
export function speak(
  speech: Speech,
  { voices, rate }: { voices: Voices; rate: number },
  { onEnd, onFailed, onStopped }: Outcome,
): () => void {
  const utterance = new SpeechSynthesisUtterance(speech.text)
  const voice = voices[speech.lang] ?? voices.zh
  utterance.voice = voice
  utterance.lang = voice?.lang ?? 'zh-CN'
  utterance.rate = rate
  let over = false
  const end = (then: () => void): void => {
    if (over) return
    over = true
    clearTimeout(late)
    then()
  }
  const silence = (): void => window.speechSynthesis.cancel()
  const late = setTimeout(
    () =>
      end(() => {
        // Else the next piece would wait behind the one that hangs.
        silence()
        onEnd()
      }),
    longest(speech, rate),
  )
  utterance.onend = () => end(onEnd)
  utterance.onerror = ({ error }) => end(error === 'interrupted' || error === 'canceled' ? onStopped : onFailed)
  window.speechSynthesis.speak(utterance)
  return () => end(silence)
}

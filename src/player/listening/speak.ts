import type { Speech } from '#src/domain/text/speech.ts'
import type { Voices } from './voices.ts'

/** A voice that does not say when it has ended is waited for no longer: twice what slow reading takes. */
const longest = ({ text, lang }: Speech, rate: number): number =>
  4_000 + (text.length * (lang === 'zh' ? 600 : 200)) / rate

/**
 * Says one piece.
 * @param rate 1 is the voice's own
 * @returns stops it
 */
export function speak(
  speech: Speech,
  { voices, rate }: { voices: Voices; rate: number },
  { onEnd, onFailed }: { onEnd: () => void; onFailed: () => void },
): () => void {
  const utterance = new SpeechSynthesisUtterance(speech.text)
  const voice = voices[speech.lang] ?? voices.zh
  utterance.voice = voice
  utterance.lang = voice?.lang ?? 'zh-CN'
  utterance.rate = rate
  let over = false
  const end = (then: () => void) => () => {
    if (over) return
    over = true
    clearTimeout(late)
    then()
  }
  const late = setTimeout(end(onEnd), longest(speech, rate))
  utterance.onend = end(onEnd)
  utterance.onerror = end(onFailed)
  window.speechSynthesis.speak(utterance)
  return end(() => window.speechSynthesis.cancel())
}

import type { Speech } from '#src/domain/text/speech.ts'

/** Null where nobody can read this language. */
export type Voices = Readonly<Record<Speech['lang'], SpeechSynthesisVoice | null>>

export const canSpeak = (): boolean => 'speechSynthesis' in window && 'SpeechSynthesisUtterance' in window

/** Some browsers load their voices only when they are asked for them, and some have none and never say so. */
const VOICES_MS = 3_000
const allVoices = (): Promise<readonly SpeechSynthesisVoice[]> =>
  new Promise((resolve) => {
    const synth = window.speechSynthesis
    const now = synth.getVoices()
    if (now.length > 0) return resolve(now)
    const done = () => {
      clearTimeout(late)
      stop()
      resolve(synth.getVoices())
    }
    const late = setTimeout(done, VOICES_MS)
    const stop = onVoices(done)
  })

/** Calls it whenever the device tells of other voices. Early Safari has voices without events. @returns ends it */
export function onVoices(listener: () => void): () => void {
  const synth: Partial<EventTarget> = window.speechSynthesis
  synth.addEventListener?.('voiceschanged', listener)
  return () => synth.removeEventListener?.('voiceschanged', listener)
}

/** Mandarin before Cantonese and others. */
const CHINESE = [
  /^(?:zh|cmn)[-_](?:Hans[-_])?CN\b/i,
  /^(?:zh|cmn)\b(?![-_](?:Hant[-_])?(?:HK|MO))/i,
  /^(?:zh|cmn|yue)\b/i,
]
const ENGLISH = [/^en[-_]US\b/i, /^en\b/i]

/**
 * Voices of the device come first: those of a service need the network, and fall silent with it.
 * @param online else voices of a service do not count
 */
export async function loadVoices(online: boolean): Promise<Voices> {
  const voices = (await allVoices()).filter(({ localService }) => online || localService)
  const pick = (wanted: readonly RegExp[]): SpeechSynthesisVoice | null => {
    const ranked = [true, false].flatMap((local) =>
      wanted.flatMap((lang) => voices.filter((voice) => voice.localService === local && lang.test(voice.lang))),
    )
    return ranked[0] ?? null
  }
  return { zh: pick(CHINESE), en: pick(ENGLISH) }
}

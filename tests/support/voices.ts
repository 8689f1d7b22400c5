import { vi } from 'vitest'

/** A voice of the device that says nothing: a test ends each piece, or has it fail. */
export class FakeVoices extends EventTarget {
  readonly said: string[] = []
  readonly rates: number[] = []
  current: SpeechSynthesisUtterance | null = null
  canceled = 0
  #voices: SpeechSynthesisVoice[]

  constructor(langs: readonly string[] = ['zh-CN'], isLocal = true) {
    super()
    this.#voices = voicesOf(langs, isLocal)
    vi.stubGlobal('speechSynthesis', this)
    vi.stubGlobal(
      'SpeechSynthesisUtterance',
      class {
        readonly text: string
        constructor(text: string) {
          this.text = text
        }
      },
    )
  }
  getVoices = () => this.#voices
  speak = (utterance: SpeechSynthesisUtterance) => {
    this.said.push(utterance.text)
    this.rates.push(utterance.rate)
    this.current = utterance
  }
  /** The piece that is cut off is told as an error a moment later, as Chrome does. */
  cancel = () => {
    this.canceled++
    const { current } = this
    this.current = null
    queueMicrotask(() => current?.onerror?.(new VoiceError(current, 'interrupted')))
  }
  /** The device tells of other voices. */
  become(langs: readonly string[], isLocal = true): void {
    this.#voices = voicesOf(langs, isLocal)
    this.dispatchEvent(new Event('voiceschanged'))
  }
  /** The voice has said the piece. */
  end(): void {
    const { current } = this
    this.current = null
    current?.onend?.(new Event('end') as SpeechSynthesisEvent)
  }
  fail(error: SpeechSynthesisErrorCode = 'synthesis-failed'): void {
    const { current } = this
    this.current = null
    current?.onerror?.(new VoiceError(current, error))
  }
}

/** jsdom has no such event of its own. */
class VoiceError extends Event implements SpeechSynthesisErrorEvent {
  readonly charIndex = 0
  readonly charLength = 0
  readonly elapsedTime = 0
  readonly name = ''
  readonly utterance: SpeechSynthesisUtterance
  readonly error: SpeechSynthesisErrorCode
  constructor(utterance: SpeechSynthesisUtterance, error: SpeechSynthesisErrorCode) {
    super('error')
    this.utterance = utterance
    this.error = error
  }
}

const voicesOf = (langs: readonly string[], isLocal: boolean): SpeechSynthesisVoice[] =>
  langs.map((lang) => ({ lang, name: lang, voiceURI: lang, localService: isLocal, default: false }))

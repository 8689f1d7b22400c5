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
    this.#voices = langs.map((lang) => ({ lang, name: lang, voiceURI: lang, localService: isLocal, default: false }))
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
  cancel = () => {
    this.canceled++
    this.current = null
  }
  /** The voice has said the piece. */
  end(): void {
    const { current } = this
    this.current = null
    current?.onend?.(new Event('end') as SpeechSynthesisEvent)
  }
  fail(): void {
    const { current } = this
    this.current = null
    current?.onerror?.(new Event('error') as SpeechSynthesisErrorEvent)
  }
}

const [RATE, SECONDS, HEADER] = [8_000, 10, 44]

/** Ten seconds of 8-bit mono that nobody hears; lock screens show their controls only beside what takes more than five. */
function silentWav(): Blob {
  const view = new DataView(new ArrayBuffer(HEADER + RATE * SECONDS))
  const text = (at: number, chars: string) => {
    for (const [i, char] of Array.from(chars).entries()) view.setUint8(at + i, char.charCodeAt(0))
  }
  text(0, 'RIFF')
  view.setUint32(4, view.byteLength - 8, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, RATE, true)
  view.setUint32(28, RATE, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  text(36, 'data')
  view.setUint32(40, RATE * SECONDS, true)
  // The least that is not nothing: a page whose sound is nothing at all is put to sleep like one without.
  for (let at = HEADER; at < view.byteLength; at++) view.setUint8(at, 128 + (at % 2))
  return new Blob([view.buffer], { type: 'audio/wav' })
}

/** Sound beside the voice, which keeps the page awake while the screen is off and brings the lock screen's controls. */
export class Silence {
  readonly #audio = new Audio(URL.createObjectURL(silentWav()))

  /** @param onStopped something else has stopped it: a call, another player, a headset that was pulled out */
  constructor(onStopped: () => void) {
    this.#audio.loop = true
    this.#audio.addEventListener('pause', () => {
      if (this.#wanted) onStopped()
    })
  }
  #wanted = false

  play(): void {
    this.#wanted = true
    // Without it the reading goes on as long as the screen is lit.
    this.#audio.play().catch(() => {})
  }

  pause(): void {
    this.#wanted = false
    this.#audio.pause()
  }

  end(): void {
    this.pause()
    URL.revokeObjectURL(this.#audio.src)
  }
}

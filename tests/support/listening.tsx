import { act, render, screen, within } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { vi } from 'vitest'
import type { Question } from '#src/contract/question.ts'
import { type Mode, start } from '#src/player/playerState.ts'
import { Player } from '#src/player/Player.tsx'
import { usePlayer } from '#src/player/usePlayer.ts'
import { onDisk } from '#tests/support/drafts.ts'
import { items, judge, single } from '#tests/support/questions.ts'
import { FakeVoices } from '#tests/support/voices.ts'

let batches = 0

/** A device that reads aloud, and a batch on it that is listened to. */
export class ListeningWorld {
  readonly user: UserEvent = userEvent.setup()
  voices: FakeVoices
  /** The batch has this number; its two questions are called after it. */
  readonly no = `L${++batches}`
  /** The sound beside the voice; jsdom plays none. */
  readonly sounds = { play: vi.fn<() => Promise<void>>(async () => {}), pause: vi.fn<() => void>() }
  /** The lock screen and a headset would call these. */
  readonly keys = new Map<string, MediaSessionActionHandler | null>()

  /** @param voices of the device, by their languages */
  constructor(...voices: ConstructorParameters<typeof FakeVoices>) {
    this.voices = new FakeVoices(...voices)
    localStorage.removeItem('jk-listening')
    vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(this.sounds.play)
    vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(this.sounds.pause)
    vi.stubGlobal('MediaMetadata', vi.fn<() => void>())
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:silence', revokeObjectURL: () => {} }))
    const setActionHandler = (action: string, handler: MediaSessionActionHandler | null) =>
      this.keys.set(action, handler)
    Object.defineProperty(navigator, 'mediaSession', { configurable: true, value: { setActionHandler } })
  }

  open = (mode: Mode = 'practice', questions: readonly Question[] = this.#two()): void =>
    void render(<Batch no={this.no} mode={mode} questions={questions} />)
  #two = (): Question[] => [judge(`${this.no}a`), single(`${this.no}b`)]
  /** 听题 as it has just been opened over the batch that is on the screen. */
  begin = async () => {
    await this.user.click(await screen.findByRole('button', { name: /^更多/ }))
    await this.user.click(await screen.findByRole('button', { name: '听题' }))
    return within(await screen.findByRole('dialog', { name: '听题' }))
  }
  listen = (mode?: Mode, questions?: readonly Question[]) => {
    this.open(mode, questions)
    return this.begin()
  }
  /** The voice has said its piece, and so have the next ones. */
  end = (pieces = 1): void => {
    for (let i = 0; i < pieces; i++) act(() => this.voices.end())
  }
  last = (): string | undefined => this.voices.said.at(-1)
}

export const listenedDraft = (no: string) => onDisk(`batch:${no}`)

function Batch({ no, mode, questions }: { no: string; mode: Mode; questions: readonly Question[] }) {
  const player = usePlayer(start(items(questions), mode), onDisk(`batch:${no}`), 'library')
  return <Player player={player} title="第一章" onEnd={() => {}} />
}

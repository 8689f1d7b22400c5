import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { OfflineError, RefusedError, ServerFaultError, UnauthorizedError } from '#src/api/errors.ts'
import type { LessonMedia } from '#src/contract/course.ts'
import type { KeptLesson } from '#src/features/course/lesson/media/doors.ts'
import { filesOnDevice, filesOnNetwork } from '#src/features/course/lesson/media/files.ts'
import { type Able, firstPlayable } from '#src/features/course/lesson/media/rendition.ts'
import { LessonSource, type SourceState } from '#src/features/course/lesson/media/source.ts'
import { eventually } from '#tests/support/eventually.ts'
import { giveMedia, media } from '#tests/support/mediaElement.ts'

const NETWORK = 2
const DECODE = 3
const lesson = (signature: string, types = ['video/webm', 'video/mp4']): LessonMedia => ({
  lesson: 'K1_1',
  course: 'K1',
  kind: 'video',
  rev: 'r1',
  base: `/media/lesson/${signature}/K1_1/r1/`,
  until: 0,
  rightUntil: null,
  renditions: types.map((type, i) => ({
    type,
    main: type.includes('mpegurl') ? `${i}/main.m3u8` : `${i}.bin`,
    files: [],
  })),
  subtitles: [],
})

describe('the rendition', () => {
  const able = (types: string[], mse = false): Able => ({ canPlayType: (t) => (types.includes(t) ? 'maybe' : ''), mse })
  const HLS = 'application/vnd.apple.mpegurl'
  test.each<[string, string[], Able, string[], string | undefined]>([
    ['the first that plays', ['video/webm', 'video/mp4'], able(['video/webm', 'video/mp4']), [], '0.bin'],
    ['not one that does not', ['video/webm', 'video/mp4'], able(['video/mp4']), [], '1.bin'],
    ['a playlist by a script', [HLS], able([], true), [], '0/main.m3u8'],
    ['a playlist by the element', [HLS], able([HLS]), [], '0/main.m3u8'],
    ['no playlist without either', [HLS, 'video/mp4'], able(['video/mp4']), [], '1.bin'],
    [
      'the next one after one that failed',
      ['video/webm', 'video/mp4'],
      able(['video/webm', 'video/mp4']),
      ['0.bin'],
      '1.bin',
    ],
    ['none', ['video/webm'], able([]), [], undefined],
  ])('is %s', (_, types, device, failed, main) =>
    expect(firstPlayable(device, lesson('s', types), new Set(failed))?.main).toBe(main),
  )
})

let element: HTMLVideoElement
let state: SourceState
/** All that was told of it, in order. */
let told: SourceState[]
let source: LessonSource
let asked: number
let answer: () => Promise<LessonMedia>
let kept: KeptLesson | null
beforeEach(() => {
  giveMedia()
  element = document.createElement('video')
  asked = 0
  told = []
  answer = () => Promise.resolve(lesson(`s${asked}`))
  kept = null
  const ask = () => {
    asked += 1
    return answer()
  }
  source = new LessonSource(element, { ask, kept: () => Promise.resolve(kept) }, (next) => told.push((state = next)))
})
afterEach(() => {
  source.end()
  vi.unstubAllGlobals()
})

const src = () => element.getAttribute('src')
const comes = async (address: string) => await expect.poll(src).toBe(`/media/lesson/${address}`)
async function playing(at: number): Promise<void> {
  source.open('K1_1', { at, play: true })
  await comes('s1/K1_1/r1/0.bin')
  media.loaded(element, 1800)
}

describe('a lesson', () => {
  test('opens where it was left, and plays when that is wanted', async () => {
    await playing(754)
    expect(element.currentTime).toBe(754)
    expect(element.paused).toBe(false)
    expect(state).toMatchObject({ lessonNo: 'K1_1', busy: false, trouble: null })
  })
  test('whose address has ended goes on at the same second from a new one, and nothing is said', async () => {
    await playing(10)
    const shown = state.media
    media.plays(element, 61)
    media.fails(element, NETWORK)
    await comes('s2/K1_1/r1/0.bin')
    media.loaded(element, 1800)
    expect(element.currentTime).toBe(61)
    expect(element.paused).toBe(false)
    expect(state.trouble).toBeNull()
    // Its subtitles are not read again.
    expect(state.media).toBe(shown)
  })
  test('sent to its start before it has come begins there, and plays', async () => {
    source.open('K1_1', { at: 754, play: false })
    await comes('s1/K1_1/r1/0.bin')
    source.seek(0)
    source.play()
    media.loaded(element, 1800)
    expect(element).toMatchObject({ currentTime: 0, paused: false })
  })
  test('sent to its start while its playlist is on its way is opened anew from there', async () => {
    answer = () => Promise.resolve(lesson(`s${asked}`, ['application/vnd.apple.mpegurl']))
    source.open('K1_1', { at: 754, play: false })
    await comes('s1/K1_1/r1/0/main.m3u8')
    source.seek(0)
    source.play()
    await comes('s2/K1_1/r1/0/main.m3u8')
    media.loaded(element, 1800)
    expect(element).toMatchObject({ currentTime: 0, paused: false })
  })
  test('that was paused when it broke stays paused', async () => {
    await playing(0)
    media.plays(element, 30)
    element.pause()
    media.fails(element, NETWORK)
    await comes('s2/K1_1/r1/0.bin')
    media.loaded(element, 1800)
    expect(element).toMatchObject({ currentTime: 30, paused: true })
  })
  test('that cannot be decoded is had another way, once it is sure that the address is not to blame', async () => {
    await playing(0)
    media.fails(element, DECODE)
    await comes('s2/K1_1/r1/0.bin')
    media.fails(element, DECODE)
    await comes('s3/K1_1/r1/1.bin')
  })
  test.each<[string, () => Promise<LessonMedia>, unknown]>([
    ['no network', () => Promise.reject(new OfflineError('')), 'lost'],
    ['a server at fault', () => Promise.reject(new ServerFaultError(500)), 'fault'],
    ['a login that has ended', () => Promise.reject(new UnauthorizedError()), 'login'],
    ['a right that has ended', () => Promise.reject(new RefusedError('已到期')), { refused: '已到期' }],
  ])('that breaks: %s is told, its place stays, and it goes on by itself or by hand', async (_, refuse, trouble) => {
    await playing(0)
    media.plays(element, 90)
    const good = answer
    answer = refuse
    media.fails(element, NETWORK)
    await expect.poll(() => state.trouble).toEqual(trouble)
    expect(element.paused).toBe(true)
    answer = good
    source.retry()
    await comes('s3/K1_1/r1/0.bin')
    media.loaded(element, 1800)
    expect(element).toMatchObject({ currentTime: 90, paused: false })
    expect(state.trouble).toBeNull()
  })
  test('never opened, without a network, is away, and comes when it is back', async () => {
    answer = () => Promise.reject(new OfflineError(''))
    source.open('K1_1', { at: 5, play: false })
    await expect.poll(() => state?.trouble).toBe('away')
    const { onlineManager } = await import('@tanstack/react-query')
    onlineManager.setOnline(false)
    answer = () => Promise.resolve(lesson('back'))
    onlineManager.setOnline(true)
    await comes('back/K1_1/r1/0.bin')
  })
  test('that fails again and again stops asking', async () => {
    await playing(0)
    for (let i = 2; i <= 4; i += 1) {
      media.fails(element, NETWORK)
      await comes(`s${i}/K1_1/r1/0.bin`)
    }
    media.fails(element, NETWORK)
    await expect.poll(() => state.trouble).toBe('lost')
    expect(asked).toBe(4)
  })
  test('whose network stays away says so once, however often it is looked for, until it plays', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await playing(0)
      const good = answer
      answer = () => Promise.reject(new OfflineError(''))
      media.fails(element, NETWORK)
      await eventually(() => expect(state.trouble).toBe('lost'))
      told = []
      const before = asked
      await vi.advanceTimersByTimeAsync(30_000)
      expect(asked).toBeGreaterThan(before + 2)
      answer = good
      await vi.advanceTimersByTimeAsync(8_000)
      await eventually(() => expect(src()).toContain(`/s${asked}/`))
      expect(told.length).toBeGreaterThan(0)
      expect(told.every(({ trouble, busy }) => trouble === 'lost' && !busy)).toBe(true)
      media.loaded(element, 1800)
      expect(state.trouble).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })
  test.each<[string, string, number]>([
    ['a file, after 20 s without a byte', 'video/webm', 2],
    ['no playlist: who reads it knows better', 'application/vnd.apple.mpegurl', 1],
  ])('gives up a connection of %s', async (_, type, times) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      answer = () => Promise.resolve(lesson(`s${asked}`, [type]))
      source.open('K1_1', { at: 0, play: true })
      await eventually(() => expect(src()).toContain('/s1/'))
      media.loaded(element, 1800)
      await vi.advanceTimersByTimeAsync(0)
      element.dispatchEvent(new Event('waiting'))
      await vi.advanceTimersByTimeAsync(25_000)
      expect(asked).toBe(times)
    } finally {
      vi.useRealTimers()
    }
  })
  test('that nothing here can play says so', async () => {
    giveMedia(() => false)
    source.open('K1_1', { at: 0, play: false })
    await expect.poll(() => state?.trouble).toBe('unplayable')
  })
  test('left before it came leaves the next one alone', async () => {
    let late: (found: LessonMedia) => void = () => {}
    const good = answer
    answer = () => new Promise((resolve) => (late = resolve))
    source.open('K1_0', { at: 0, play: true })
    await expect.poll(() => asked).toBe(1)
    answer = good
    source.open('K1_1', { at: 0, play: false })
    await comes('s2/K1_1/r1/0.bin')
    late(lesson('late'))
    await Promise.resolve()
    expect(src()).toContain('/s2/')
  })
})

describe('a downloaded lesson', () => {
  const onPhone = (file: KeptLesson['file'], opens: KeptLesson['opens'] = 'open'): KeptLesson => ({
    opens,
    media: lesson('old'),
    rendition: { type: 'video/webm', main: '0.bin', files: [] },
    file,
    mend: () => {
      mended += 1
      return Promise.resolve()
    },
  })
  let mended: number
  let held: number
  beforeEach(() => {
    mended = held = 0
    const createObjectURL = () => {
      held += 1
      return 'blob:kept'
    }
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL, revokeObjectURL: () => (held -= 1) }))
  })
  test('plays from the device and asks nobody', async () => {
    kept = onPhone(() => Promise.resolve(new Blob(['x'])))
    source.open('K1_1', { at: 3, play: false })
    await expect.poll(src).toBe('blob:kept')
    expect(asked).toBe(0)
    expect(held).toBe(1)
    source.end()
    expect(held).toBe(0)
  })
  test('left while its file is read keeps nothing of it in memory', async () => {
    let give: (blob: Blob) => void = () => {}
    const late = new Promise<Blob>((resolve) => (give = resolve))
    let reads = 0
    kept = onPhone(() => {
      reads += 1
      return late
    })
    source.open('K1_1', { at: 3, play: false })
    await expect.poll(() => reads).toBe(1)
    source.end()
    give(new Blob(['x']))
    await late
    await Promise.resolve()
    expect(held).toBe(0)
  })
  test.each<[string, KeptLesson['file']]>([
    ['that lacks its file', () => Promise.resolve(null)],
    ['that cannot be read', () => Promise.reject(new Error('damaged'))],
  ])('%s is had from the network', async (_, file) => {
    kept = onPhone(file)
    source.open('K1_1', { at: 3, play: false })
    await comes('s1/K1_1/r1/0.bin')
  })
  test('that cannot be decoded is had from the network, at the same second', async () => {
    kept = onPhone(() => Promise.resolve(new Blob(['x'])))
    source.open('K1_1', { at: 3, play: true })
    await expect.poll(src).toBe('blob:kept')
    media.loaded(element, 100)
    media.plays(element, 20)
    media.fails(element, DECODE)
    await comes('s1/K1_1/r1/0.bin')
    media.loaded(element, 100)
    expect(element.currentTime).toBe(20)
    media.fails(element, NETWORK)
    await comes('s2/K1_1/r1/0.bin')
    expect(mended).toBe(1)
    expect(held).toBe(0)
  })
  test('that cannot be decoded says so where nobody can be asked', async () => {
    kept = onPhone(() => Promise.resolve(new Blob(['x'])))
    answer = () => Promise.reject(new OfflineError(''))
    source.open('K1_1', { at: 3, play: true })
    await expect.poll(src).toBe('blob:kept')
    media.fails(element, DECODE)
    await expect.poll(() => state.trouble).toBe('broken')
    expect(mended).toBe(1)
  })
  test('whose update takes its place while it plays goes on from the device with the new one, without a network too', async () => {
    const old = onPhone(() => Promise.resolve(new Blob(['x'])))
    kept = old
    answer = () => Promise.reject(new OfflineError(''))
    source.open('K1_1', { at: 3, play: true })
    await expect.poll(src).toBe('blob:kept')
    media.loaded(element, 100)
    await element.play()
    media.plays(element, 20)
    kept = { ...old, media: { ...old.media, rev: 'r2' } }
    // The pieces of the old one that were not read yet are gone.
    media.fails(element, DECODE)
    await expect.poll(() => state.kept?.media.rev).toBe('r2')
    media.loaded(element, 100)
    expect(element.currentTime).toBe(20)
    expect(element.paused).toBe(false)
    expect(state.trouble).toBeNull()
    expect([mended, asked]).toEqual([0, 0])
  })
  test('whose right ends while it plays says that, and is not mended; renewed, it plays from the device again', async () => {
    let reads = 0
    const whole = onPhone(() => {
      reads += 1
      return Promise.resolve(new Blob(['x']))
    })
    kept = whole
    answer = () => Promise.reject(new OfflineError(''))
    source.open('K1_1', { at: 3, play: true })
    await expect.poll(src).toBe('blob:kept')
    media.loaded(element, 100)
    media.plays(element, 20)
    kept = { ...whole, opens: 'ended', file: () => Promise.resolve(null) }
    media.fails(element, NETWORK)
    await expect.poll(() => state.trouble).toBe('ended')
    kept = whole
    source.retry()
    await expect.poll(() => reads).toBe(2)
    await Promise.resolve()
    media.loaded(element, 100)
    expect(element.currentTime).toBe(20)
    expect(mended).toBe(0)
  })
  test.each(['ended', 'unconfirmed'] as const)(
    'whose right is %s says so where nobody can be asked, and plays when somebody can',
    async (opens) => {
      kept = onPhone(() => Promise.resolve(new Blob(['x'])), opens)
      const good = answer
      answer = () => Promise.reject(new OfflineError('网络不可用'))
      source.open('K1_1', { at: 3, play: false })
      await expect.poll(() => state?.trouble).toBe(opens)
      expect(src()).not.toBe('blob:kept')
      answer = good
      source.retry()
      await comes('s2/K1_1/r1/0.bin')
    },
  )
  test('gives a playlist its pieces', async () => {
    const files = filesOnDevice(
      onPhone((name) => Promise.resolve(name === '1/s0.m4s' ? new Blob(['0123456789']) : null)),
    )
    const { signal } = new AbortController()
    expect(new TextDecoder().decode(await files.read('1/s0.m4s', [2, 5], signal))).toBe('234')
    await expect(files.read('1/s1.m4s', null, signal)).rejects.toThrow('lacks 1/s1.m4s')
  })
})

describe('pieces of a playlist', () => {
  const ended = (base: string) => base.includes('/s0/')
  let fetched: string[]
  beforeEach(() => {
    fetched = []
    vi.stubGlobal('fetch', (url: string) => {
      fetched.push(url)
      return Promise.resolve(new Response(ended(url) ? null : 'piece', { status: ended(url) ? 403 : 200 }))
    })
  })
  test('are had from a new address when the old one has ended, which is asked for once', async () => {
    let renewals = 0
    const files = filesOnNetwork(lesson('s0'), () => Promise.resolve(lesson(`s${(renewals += 1)}`)))
    const { signal } = new AbortController()
    const read = (name: string) => files.read(name, null, signal).then((bytes) => new TextDecoder().decode(bytes))
    expect(await Promise.all([read('1/a.m4s'), read('1/b.m4s')])).toEqual(['piece', 'piece'])
    expect(await read('1/c.m4s')).toBe('piece')
    expect(renewals).toBe(1)
    expect(fetched.at(-1)).toBe('/media/lesson/s1/K1_1/r1/1/c.m4s')
  })
  test('of another revision are not mixed in', async () => {
    const files = filesOnNetwork(lesson('s0'), () => Promise.resolve({ ...lesson('s1'), rev: 'r2' }))
    await expect(files.read('1/a.m4s', null, new AbortController().signal)).rejects.toThrow('another revision')
  })
})

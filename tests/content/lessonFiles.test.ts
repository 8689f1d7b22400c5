import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { readCourse } from '#server/content/publish/courseFile.ts'
import { copyLesson } from '#server/content/media/lessonShelf.ts'
import { manyBoxes, manyBoxesInside, manyCues, manyLists, missingFiles, nestedLists } from '#tests/support/busyMedia.ts'
import { courseFolder, courseJson, first, second, subtitles, withLessons } from '#tests/support/courses.ts'

/** Real files, as FFmpeg makes them. */
const kept = (name: string): Buffer => readFileSync(path.join(import.meta.dirname, 'media', name))

let folder = ''
beforeEach(() => void (folder = courseFolder()))
const put = (name: string, content: string | Buffer): string => {
  writeFileSync(path.join(folder, name), content)
  return name
}
const given = (name: string): Buffer => readFileSync(path.join(folder, name))

interface Said {
  faults: string[]
  warnings: string[]
}
async function read(content: object): Promise<Said & Awaited<ReturnType<typeof readCourse>>> {
  const course = await readCourse(path.join(folder, 'course.json'), content)
  const of = (level: string) => course.findings.filter((each) => each.level === level).map(({ reason }) => reason)
  return { ...course, faults: of('fault'), warnings: of('warning') }
}
const video = (...media: string[]) => read(withLessons({ ...first, subtitles: [], media }))
const audio = (...media: string[]) => read({ ...withLessons({ ...first, subtitles: [], media }), kind: 'audio' })

describe('a file that was not copied to its end', () => {
  const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2))
  test.each(['第一课.mp4', '第一课.webm'])('%s', async (name) => {
    const { faults } = await video(put(`half${path.extname(name)}`, half(given(name))))
    expect(faults).toEqual([
      expect.stringMatching(/^half\.\w+ 不完整：应至少有 0\.\d MB，只有 [\d.]+ [KM]B，.*重新复制$/),
    ])
  })
  test('an MP4 in fragments, which lacks the last one', async () => {
    const names = ['list/avc.mp4', 'list/avc_00.m4s', 'list/avc_01.m4s']
    const whole = Buffer.concat(names.map(given))
    expect((await video(put('whole.mp4', whole))).faults).toEqual([expect.stringContaining('没有写明时长')])
    expect((await video(put('cut.mp4', whole.subarray(0, -5)))).faults).toEqual([expect.stringContaining('不完整')])
  })
  test('a WebM that was written as it was recorded', async () => {
    const whole = kept('live.webm')
    const seconds = { ...first, subtitles: [], seconds: 1 }
    expect((await read(withLessons({ ...seconds, media: [put('live.webm', whole)] }))).faults).toEqual([])
    const cut = put('cut.webm', whole.subarray(0, -500))
    expect((await read(withLessons({ ...seconds, media: [cut] }))).faults).toEqual([expect.stringContaining('不完整')])
  })
  test('an MP3 that tells how many bytes follow', async () => {
    const whole = given('sound.mp3')
    expect((await audio('sound.mp3')).faults).toEqual([])
    expect((await audio(put('half.mp3', half(whole)))).faults).toEqual([expect.stringContaining('不完整')])
    // The tag that some players add at the end is no part of it.
    const tagged = Buffer.concat([whole, Buffer.from('TAG'.padEnd(128, '\0'))])
    expect((await audio(put('tagged.mp3', tagged))).faults).toEqual([])
  })
  test('a segment of a playlist', async () => {
    put('list/avc_01.m4s', half(given('list/avc_01.m4s')))
    const { faults } = await read(withLessons({ ...second, subtitles: [] }))
    expect(faults).toEqual([expect.stringContaining('list/main.m3u8：avc_01.m4s 不完整')])
  })
})

describe('why a file cannot be played is named', () => {
  const box = (name: string, ...bodies: Buffer[]): Buffer => {
    const body = Buffer.concat(bodies)
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + body.length)
    head.write(name, 4, 'latin1')
    return Buffer.concat([head, body])
  }
  const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0isom', 'latin1'))
  const mvhd = (seconds: number) => {
    const body = Buffer.alloc(100)
    body.writeUInt32BE(1, 12)
    body.writeUInt32BE(seconds, 16)
    return box('mvhd', body)
  }

  test('no track, no table of contents, one that is damaged, MKV', async () => {
    const mdat = box('mdat', Buffer.alloc(1_000))
    const silent = put('silent.m4a', Buffer.concat([ftyp, box('moov', mvhd(60)), mdat]))
    expect((await audio(silent)).faults).toEqual(['silent.m4a 里没有画面，也没有声音'])
    expect((await video(put('bare.mp4', Buffer.concat([ftyp, mdat])))).faults).toEqual([
      'bare.mp4 没有目录（moov），可能没有录完或没有复制完，请重新导出',
    ])
    const damaged = box(
      'moov',
      box('trak', box('mdia', box('hdlr', Buffer.alloc(8)))),
      box('mvhd', Buffer.alloc(32, 1)),
    )
    expect((await video(put('damaged.mp4', Buffer.concat([ftyp, damaged])))).faults).toHaveLength(1)
    expect((await video(put('screen.mkv', kept('screen.mkv')))).faults).toEqual([
      'screen.mkv 是 MKV，浏览器不能播放，请转为 MP4',
    ])
    expect((await video(put('renamed.webm', kept('screen.mkv')))).faults).toEqual([
      'renamed.webm 是 MKV，浏览器不能播放，请转为 MP4',
    ])
  })

  test('a cover beside the sound is no film', async () => {
    expect((await audio(put('still.m4a', kept('still.m4a')))).faults).toEqual([])
  })

  test('colours that phones do not decode, in a file and in a segment', async () => {
    expect((await video(put('ten.mp4', kept('high10.mp4')))).faults).toEqual([
      'ten.mp4 的画面是 10 位色深的 H.264，手机不能播放，请转为 High 规格、8 位、4:2:0',
    ])
    const above = kept('high10.mp4')
    // A profile for pictures from two sides.
    above[above.indexOf('avcC') + 5] = 0x80
    expect(await video(put('above.mp4', above))).toMatchObject({
      faults: [],
      warnings: expect.arrayContaining(['above.mp4 的 H.264 规格高于 High，部分手机不能播放']),
    })
    put('main.m3u8', ['#EXTM3U', '#EXTINF:1,', 'a.ts', '#EXT-X-ENDLIST'].join('\n'))
    for (const [name, why] of [
      ['hevc', '的编码 hevc 多数设备不能播放'],
      ['high10', '10 位色深'],
      ['fine444', '4:4:4 采样'],
    ] as const) {
      put('a.ts', kept(`${name}.mpegts`))
      expect((await video('main.m3u8')).faults).toEqual([expect.stringContaining(why)])
    }
  })

  test('a playlist of sound does not stand in a course of films', async () => {
    put('list/main.m3u8', ['#EXTM3U', '#EXTINF:52,', 'avc.mp4', '#EXT-X-ENDLIST'].join('\n'))
    expect((await audio('list/main.m3u8')).faults).toEqual(['音频课程里有带画面的文件'])
  })
})

describe('a playlist', () => {
  const SEGMENT = ['#EXTINF:4,', 'list/avc.mp4']
  const list = (...lines: string[]) => put('main.m3u8', ['#EXTM3U', ...lines].join('\n'))
  const ask = (...lines: string[]) => video(list(...lines))

  test.each([
    ['#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="中文",URI="sound.m3u8"', '声音与画面分开存放'],
    ['#EXT-X-MEDIA:URI="other.m3u8",TYPE=VIDEO,GROUP-ID="v",NAME="2"', '有另外存放的机位'],
    ['#EXT-X-CONTENT-STEERING:SERVER-URI="https://a.example/s"', '线路调度'],
    ['#EXT-X-DATERANGE:ID="1",CLASS="com.apple.hls.interstitial",X-ASSET-URI="https://a.example/b"', 'interstitial'],
  ])('that asks for more than the player does is refused: %s', async (line, why) => {
    expect((await ask(line, ...SEGMENT, '#EXT-X-ENDLIST')).faults).toContainEqual(expect.stringContaining(why))
  })
  test('whose sound is in the pictures’ own files is taken', async () => {
    const { faults } = await ask('#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="中文"', ...SEGMENT, '#EXT-X-ENDLIST')
    expect(faults).toEqual([])
  })
  test('that is encrypted says so once', async () => {
    const key = '#EXT-X-KEY:METHOD=AES-128,URI="list/avc.mp4"'
    const many = Array.from({ length: 17 }, () => [key, ...SEGMENT]).flat()
    expect((await ask(...many, '#EXT-X-ENDLIST')).faults).toEqual([expect.stringContaining('加密')])
  })
  test('in a playlist of a playlist is refused', async () => {
    const { faults } = await video(nestedLists(folder, 2_000))
    expect(faults).toEqual(['n1.m3u8 里的播放列表最多两层：总列表和每种清晰度的列表'])
  })
  test('that names two thousand playlists', async () => {
    const { faults } = await video(manyLists(folder, 2_000))
    expect(faults).toEqual(['master.m3u8 里有 2000 种清晰度，最多 24 种，请只留几种再导出'])
  })
  test('that names a hundred thousand files that are not there', async () => {
    const { faults } = await video(missingFiles(folder, 100_000))
    expect(faults).toContain('main.m3u8 里有超过 50000 个文件，不像课时，请重新导出')
    expect(faults.length).toBeLessThan(25)
  })
})

describe('files that are made to keep the importer busy', () => {
  test('eight million boxes', async () => {
    expect((await video(manyBoxes(folder, 8_000_000))).faults).toEqual([
      expect.stringContaining('由超过 100000 块拼成'),
    ])
  })
  test('eight million boxes within the table of contents', async () => {
    const name = manyBoxesInside(folder, 7_000_000)
    expect((await video(name)).faults).toEqual(['many.mp4 的目录（moov）已损坏，请重新导出'])
  })
  test('sixty thousand cues', async () => {
    const { faults } = await read(withLessons({ ...first, subtitles: subtitles(manyCues(folder, 60_000)) }))
    expect(faults).toEqual([])
    const { faults: more } = await read(withLessons({ ...first, subtitles: subtitles(manyCues(folder, 150_000)) }))
    expect(more).toEqual([expect.stringMatching(/^many\.vtt 有 .* MB，不像字幕$/)])
  })
})

describe('subtitles as editors write them', () => {
  /** What is published of subtitles beside the first lesson. */
  async function published(name: string, content: string | Buffer): Promise<string> {
    const { faults, media } = await read(withLessons({ ...first, subtitles: subtitles(put(name, content)) }))
    expect(faults).toEqual([])
    const [lesson] = media.lessons
    if (!lesson) throw new Error('the lesson was not read')
    const to = path.join(folder, 'shelf')
    await copyLesson(lesson, to)
    return readFileSync(path.join(to, 'zh-CN.vtt'), 'utf8')
  }
  const SRT = [
    '1',
    '00:00:03,000 --> 00:00:05,000',
    '若 a < b 且 b & c，则 <i>成立</i>',
    '',
    '2',
    '00:00:01,500 --> 00:00:03,500 X1:10',
    '<font color="#fff">{\\an8}第一句</font>',
    '第二行',
    '3',
    '00:00:06,000 --> 00:00:07,000',
    '2026',
    '',
  ].join('\r\n')
  const VTT = [
    'WEBVTT',
    '',
    '00:00:01.500 --> 00:00:03.500',
    '第一句',
    '第二行',
    '',
    '00:00:03.000 --> 00:00:05.000',
    '若 a &lt; b 且 b &amp; c，则 <i>成立</i>',
    '',
    '00:00:06.000 --> 00:00:07.000',
    '2026',
    '',
  ].join('\n')
  /** 你好 in GBK. */
  const GBK = Buffer.concat([Buffer.from('1\r\n00:00:01,000 --> 00:00:02,000\r\n'), Buffer.from('c4e3bac3', 'hex')])

  test('SRT becomes WebVTT: by time, with its signs as they look', async () => {
    expect(await published('a.srt', SRT)).toBe(VTT)
    expect(await published('b.srt', `\uFEFF${SRT}`)).toBe(VTT)
    expect(await published('c.srt', GBK)).toContain('00:00:01.000 --> 00:00:02.000\n你好')
  })
  test('WebVTT in UTF-16 becomes UTF-8, and what is UTF-8 stays as it is', async () => {
    expect(await published('a.vtt', Buffer.from(`\uFEFF${VTT}`, 'utf16le'))).toBe(VTT)
    expect(await published('b.vtt', Buffer.from(`\uFEFF${VTT}`, 'utf16le').swap16())).toBe(VTT)
    expect(await published('c.vtt', VTT)).toBe(VTT)
  })
  test.each([
    ['1\n00:00:02,000 --> 00:00:01,000\n好\n', '第2行：结束时间应晚于开始时间'],
    ['1\n00:59:02,000 --> 00:59:03,000\n好\n', '第2行：字幕超出了课时的长度 52 秒'],
    ['1\n00:00:01,000 --> 00:00:02,000\n\n', '没有一条字幕'],
    ['第一句\n第二句\n', '第1行：不是 WebVTT 或 SRT 字幕，WebVTT 的开头应为 WEBVTT'],
  ])('SRT that is wrong: %j', async (text, reason) => {
    const { faults } = await read(withLessons({ ...first, subtitles: subtitles(put('bad.srt', text)) }))
    expect(faults).toEqual([`bad.srt ${reason}`])
  })
})

describe('a cover', () => {
  const cover = async (name: string) => (await read({ ...courseJson, cover: name })).faults
  const png = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: 'green' } })
      .png()
      .toBuffer()

  test('that would fill a phone’s memory or data is refused, also one that the server would not open', async () => {
    const large = await png(5_400, 3_000)
    expect(await cover(put('large.png', large))).toEqual([expect.stringMatching(/有 5400×3000，.*最多 1600 万像素/)])
    const huge = Buffer.from(large)
    huge.writeUInt32BE(12_000, 16)
    huge.writeUInt32BE(6_750, 20)
    expect(await cover(put('huge.png', huge))).toEqual([expect.stringMatching(/有 12000×6750，.*最多 1600 万像素/)])
    const plain = await png(1_280, 720)
    const heavy = Buffer.concat([plain, Buffer.alloc(6 * 1024 * 1024)])
    expect(await cover(put('heavy.png', heavy))).toEqual([expect.stringMatching(/有 6\.0 MB，最多 5\.0 MB/)])
    expect(await cover(put('plain.png', plain))).toEqual([])
  })
  test('that cannot be opened to its end is refused', async () => {
    const noise = await sharp(Buffer.from(Array.from({ length: 640 * 360 * 3 }, (_, i) => (i * i) % 251)), {
      raw: { width: 640, height: 360, channels: 3 },
    })
      .jpeg()
      .toBuffer()
    expect(await cover(put('whole.jpg', noise))).toEqual([])
    expect(await cover(put('cut.jpg', noise.subarray(0, noise.length / 2)))).toEqual([
      '封面 cut.jpg 已损坏，不能完整打开，请重新导出',
    ])
  })
})

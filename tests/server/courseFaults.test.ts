import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { takePublished } from '#server/bin/publishCommands.ts'
import { probe } from '#server/content/media/mediaProbe.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import {
  checkCourse,
  checkPackage,
  courseFolder,
  courseJson as json,
  courseRow,
  first,
  packageJson,
  publishCourse,
  second,
  subtitles,
  withLessons,
} from '#tests/support/courses.ts'
import { publish, setJson } from '#tests/support/sets.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { publishTesting, testingJson } from '#tests/support/testings.ts'

const folder = courseFolder()
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'Q', chapters: 1, perChapter: 2 }))
  await publish(server.db, setJson({ no: 'SET', papers: [[['Q_q1']]] }))
  await publishCourse(server, courseRow({ no: 'C', units: [['C_old']] }))
  await publishCourse(server, courseRow({ no: 'OTHER', units: [['OTHER_1']] }))
})
afterAll(() => server.close())

const faults = async (content: object) => {
  const { findings } = await checkCourse(server.db, path.join(folder, 'course.json'), content)
  return findings.filter(({ level }) => level === 'fault').map(({ at, reason }) => `${at}：${reason}`)
}

test('of a course that is right nothing is said', async () => expect(await faults(json)).toEqual([]))

describe('what is wrong with a course is said, with its place', () => {
  const put = (name: string, content: string | Buffer) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
    return name
  }
  const media = async (...names: string[]) => faults(withLessons({ ...first, subtitles: [], media: names }))
  const at = 'units[0].lessons[0]'

  test('its media', async () => {
    expect(await media('none.mp4')).toEqual([`${at}.media[0]：none.mp4 不存在或无法读取`])
    expect(await media('../up.mp4')).toEqual([`${at}.media[0]：../up.mp4 应放在课程文件旁边或其下级文件夹`])
    const disguised = put('disguised.mp4', readFileSync(path.join(folder, '第一课.webm')))
    expect(await media(disguised)).toEqual([`${at}.media[0]：disguised.mp4 的内容是 webm，与扩展名不符`])
    expect(await media(put('text.mp4', 'hello'))).toEqual([`${at}.media[0]：text.mp4 的内容认不出，与扩展名不符`])
    expect(await media('sound.mp3')).toEqual([`${at}.media[0]：视频课程里有没有画面的文件`])
    expect(await faults({ ...withLessons({ ...first, subtitles: [] }), kind: 'audio' })).toContain(
      `${at}.media[0]：音频课程里有带画面的文件`,
    )
    expect(await media('第一课.vtt')).toEqual([
      `${at}.media[0]：第一课.vtt 不是可以直接播放的文件，请用 MP4、WebM、M4A、MP3 或播放列表 m3u8`,
    ])
    expect(await media('第一课.webm', '第二课.webm')).toEqual([
      `${at}.seconds：时长对不上：52 秒与 42 秒，请检查是不是同一课的文件`,
    ])
    expect(await faults(withLessons({ ...first, seconds: 0 }))).toEqual(['units[0].lessons[0].seconds：时长至少 1 秒'])
    const cut = readFileSync(path.join(folder, 'sound.mp3')).subarray(2_000)
    const frame = cut.subarray(cut.findIndex((byte, i) => byte === 0xff && ((cut[i + 1] ?? 0) & 0xfe) === 0xf2))
    const sound = { ...first, media: [put('cut.mp3', frame)], subtitles: [] }
    const ofSound = (more: object) => faults({ ...withLessons({ ...sound, ...more }), kind: 'audio' })
    expect(await ofSound({})).toEqual([`${at}.seconds：文件没有写明时长，请用 seconds 写出秒数`])
    expect(await ofSound({ seconds: 50 })).toEqual([])
  })

  test('a codec that few devices play, and a table of contents at the end', async () => {
    const mp4 = readFileSync(path.join(folder, '第一课.mp4'))
    const foreign = Buffer.from(mp4)
    foreign.write('hvc1', foreign.indexOf('avc1', foreign.indexOf('stsd')), 'latin1')
    foreign.write('hvcC', foreign.indexOf('avcC'), 'latin1')
    expect(await media(put('hevc.mp4', foreign))).toEqual([
      `${at}.media[0]：hevc.mp4 的编码 hvc1 多数设备不能播放，请转为 H.264 与 AAC，或 VP9 与 Opus`,
    ])
    const moov = mp4.indexOf('moov') - 4
    const end = moov + mp4.readUInt32BE(moov)
    put('late.mp4', Buffer.concat([mp4.subarray(0, moov), mp4.subarray(end), mp4.subarray(moov, end)]))
    const { findings } = await checkCourse(
      server.db,
      path.join(folder, 'course.json'),
      withLessons({ ...first, media: ['late.mp4'] }),
    )
    expect(findings).toMatchObject([{ level: 'warning', reason: expect.stringContaining('faststart') }])
  })

  test('files that are cut off anywhere are no media, and end nothing', async () => {
    for (const name of ['第一课.mp4', '第一课.webm', 'sound.mp3']) {
      const whole = readFileSync(path.join(folder, name))
      for (let length = 0; length < 3_000; length += 37) {
        const cut = path.join(folder, `cut${path.extname(name)}`)
        writeFileSync(cut, whole.subarray(0, length))
        const { ending } = await probe(cut)
        expect(['', path.extname(name).slice(1)]).toContain(ending)
      }
    }
  })

  test('its playlists', async () => {
    const list = (name: string, ...lines: string[]) => put(`bad/${name}`, ['#EXTM3U', ...lines].join('\n'))
    put('bad/a.ts', Buffer.from(Array.from({ length: 376 }, (_, i) => (i % 188 === 0 ? 0x47 : 0))))
    put('outside.ts', 'x')
    const end = '#EXT-X-ENDLIST'
    expect(await media(list('ok.m3u8', '#EXTINF:4,', 'a.ts', end))).toEqual([])
    expect(await media(list('gone.m3u8', '#EXTINF:4,', 'b.ts', end))).toEqual([
      `${at}.media[0]：bad/gone.m3u8：b.ts 不存在或无法读取`,
    ])
    for (const name of ['../outside.ts', '/etc/a.ts', 'https://example.com/a.ts'])
      expect(await media(list('out.m3u8', '#EXTINF:4,', name, end))).toEqual([
        `${at}.media[0]：out.m3u8 里的 ${name} 不在播放列表的文件夹里`,
      ])
    expect(await media(list('live.m3u8', '#EXTINF:4,', 'a.ts'))).toEqual([
      `${at}.media[0]：live.m3u8：播放列表没有结尾 #EXT-X-ENDLIST：不支持直播`,
    ])
    expect(await media(list('locked.m3u8', '#EXT-X-KEY:METHOD=AES-128,URI="a.ts"', '#EXTINF:4,', 'a.ts', end))).toEqual(
      [`${at}.media[0]：locked.m3u8：播放列表是加密的，请用没有加密的文件：谁能看由课程的购买决定`],
    )
    expect(await media(list('name.m3u8', '#EXTINF:4,', '片段.ts', end))).toEqual([
      expect.stringMatching(/里的 片段\.ts：文件名请用字母/),
    ])
    expect(await media(list('deep.m3u8', '#EXT-X-STREAM-INF:BANDWIDTH=1', 'gone.m3u8'))).toEqual([
      `${at}.media[0]：bad/deep.m3u8：b.ts 不存在或无法读取`,
    ])
  })

  test.each([
    ['WEBVTT\n\n00:01.000 --> 00:02.000\n你好\n', null],
    ['﻿WEBVTT - 标题\r\n\r\nNOTE 说明\r\n\r\n1\r\n00:00:01.000 --> 00:00:02.000 align:start\r\n你好\r\n', null],
    ['1\n00:00:01,000 --> 00:00:02,000\n你好\n', null],
    ['你好\n', '第1行：不是 WebVTT 或 SRT 字幕'],
    ['WEBVTT\n\n00:01 --> 00:02\n你好\n', '第3行：时间应写成 00:01.000 --> 00:04.500'],
    ['WEBVTT\n\n00:02.000 --> 00:01.000\n你好\n', '第3行：结束时间应晚于开始时间'],
    ['WEBVTT\n\n00:02.000 --> 00:03.000\n好\n\n00:01.000 --> 00:02.000\n好\n', '第6行：开始时间早于上一条字幕'],
    ['WEBVTT\n\n59:02.000 --> 59:03.000\n你好\n', '第3行：字幕超出了课时的长度 52 秒'],
    ['WEBVTT\n\n00:01.000 --> 00:02.000\n\n', '第3行：这条字幕没有文字'],
    ['WEBVTT\n\n00:01.000 --> 00:02.000\n好\n00:02.000 --> 00:03.000\n好\n', '第3行：两条字幕之间要空一行'],
    ['WEBVTT\n', '没有一条字幕'],
  ])('its subtitles: %j', async (text, reason) => {
    const found = await faults(withLessons({ ...first, subtitles: subtitles(put('new.vtt', text)) }))
    expect(found).toHaveLength(reason === null ? 0 : 1)
    expect(found.join('')).toContain(reason ?? '')
  })

  test('subtitles of an unknown encoding, or twice in one language', async () => {
    const unknown = put('unknown.vtt', Buffer.concat([Buffer.from('WEBVTT\n\n'), Buffer.from('ff80ff', 'hex')]))
    expect(await faults(withLessons({ ...first, subtitles: subtitles(unknown) }))).toEqual([
      `${at}.subtitles[0]：unknown.vtt 的文字编码认不出，请存为 UTF-8`,
    ])
    const twice = [...subtitles('第一课.vtt'), ...subtitles('第一课.vtt')]
    expect(await faults(withLessons({ ...first, subtitles: twice }))).toEqual([
      `${at}.subtitles[1]：语言 zh-CN 写了两次`,
    ])
  })

  test('its cover and handouts', async () => {
    const cover = (name: string) => faults({ ...json, cover: name })
    expect(await cover('none.png')).toEqual([expect.stringMatching(/cover：封面 none\.png 不存在.*gif/)])
    expect(await cover(put('text.png', 'hello'))).toEqual(['cover：封面 text.png 的内容不是图片，或没有写明宽高'])
    const small = put('small.svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 18"></svg>')
    expect(await cover(small)).toEqual(['cover：封面 small.svg 只有 32×18，至少 320×180'])
    const handout = { ...json, handouts: [{ title: '讲义', file: 'cover.svg' }] }
    expect(await faults(handout)).toEqual(['handouts[0]：cover.svg 的内容不是 PDF，请重新导出'])
  })

  test('its numbers and links', async () => {
    expect(await faults(withLessons(first, { ...second, no: 'C_1' }))).toEqual([
      'units[0].lessons[1].no：编号 C_1 与 units[0].lessons[0].no 重复',
    ])
    expect(await faults({ ...json, no: 'SET' })).toContain('no：编号 SET 已被题集使用')
    expect(await faults(withLessons({ ...first, no: 'OTHER_1' }))).toEqual([`${at}.no：编号 OTHER_1 已被课时使用`])
    expect(await faults(withLessons({ ...first, no: 'OTHER_u1' }))).toEqual([`${at}.no：编号 OTHER_u1 已被单元使用`])
    expect(await faults({ ...json, subject: 'none', libraries: ['none'] })).toEqual([
      'subject：科目 none 不存在，请先导入这一科的题库',
      'libraries[0]：题库 none 不存在，或学生不能直接打开',
    ])
    await publishTesting(server.db, {
      ...testingJson({ no: 'QUIZ', paper: [['Q_q1']] }),
      unit: { course: 'C', no: 'C_u1' },
    })
    const renamed = { ...json, units: [{ ...json.units[0], no: 'C_u9' }] }
    expect(await faults(renamed)).toEqual(['units：测评 QUIZ 属于单元 C_u1，不能去掉这个单元'])
    expect(await faults({ ...json, days: 0, teacher: ' ', units: [] })).toEqual([
      'days：有效天数至少为 1',
      'teacher：缺少讲师姓名',
      'units：至少要有一个单元',
    ])
  })

  test('directions and areas that there are not', async () => {
    const scope = { directions: ['jg', 'jx'], areas: ['11', '999'] }
    const told = [
      'directions[1]：方向 jx 不存在，可以写 jg、js、tg、wz_gg、wz_gl、wz_jsj、wz_sx、zsb',
      'areas[1]：地区 999 不存在，请写省级行政区划代码的前两位，如 11（北京）',
    ]
    expect(await faults({ ...json, ...scope })).toEqual(told)
    const pack = { ...packageJson, courses: ['OTHER', 'C'], ...scope }
    const { findings } = await checkPackage(server.db, path.join(folder, 'package.json'), pack)
    expect(findings.map(({ at, reason }) => `${at}：${reason}`)).toEqual(expect.arrayContaining(told))
  })

  test('a package of one course, of none that is there, or of free ones', async () => {
    const findings = async (over: object) =>
      (await checkPackage(server.db, path.join(folder, 'package.json'), { ...packageJson, ...over })).findings
    expect(await findings({ courses: ['C'], price: 0 })).toMatchObject([
      { reason: '课程包要有价格：免费的课程不用购买' },
      { reason: '课程包至少有两门课程' },
    ])
    const found = await findings({ no: 'C', courses: ['C', 'NONE', 'C'] })
    expect(found.filter(({ level }) => level === 'fault')).toMatchObject([
      { at: 'no', reason: '编号 C 已被课程使用' },
      { at: 'courses[1]', reason: '课程 NONE 不存在，请先导入或一起导入' },
      { at: 'courses[2]', reason: '课程 C 重复' },
    ])
    expect(found).toContainEqual(expect.objectContaining({ level: 'warning', reason: '课程 C 是免费的，不用购买' }))
  })

  test('and nothing of an import with one fault is published', async () => {
    const fresh = { ...json, no: 'NEW', units: [{ no: 'NEW_u', title: '一', lessons: [{ ...first, no: 'NEW_1' }] }] }
    const same = { ...fresh, no: 'NEWER', units: [{ ...fresh.units[0], no: 'NEWER_u' }] }
    const files = Object.entries({ 'new.json': fresh, 'newer.json': same }).map(([name, content]) => {
      const file = path.join(folder, put(name, JSON.stringify(content)))
      return { file, kind: 'course' as const }
    })
    const { code, lines } = await takePublished(server.db, 'import', files, false, server.mediaDir)
    expect(code).toBe(1)
    expect(lines.join('\n')).toMatch(/编号 NEW_1 在 .*new\.json 与 .*newer\.json 里都有[\s\S]*未发布任何内容/)
    expect(await server.ask(contract.course.detail, { no: 'NEW' })).toMatchObject({ status: 0 })
  })
})

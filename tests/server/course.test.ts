import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { writePackage } from '#server/course/store.ts'
import { courseSums } from '#server/db/migrations/0024-course-sums.ts'
import { FOR_GOOD } from '#server/rights/store.ts'
import { buildApp } from '#server/app.ts'
import { courseRow, LESSON_SECONDS, publishCourse } from '#tests/support/courses.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { plainOps } from '#tests/support/ops.ts'
import { SITE, startServer, type TestServer } from '#tests/support/server.ts'

const { list, detail, packages, package: packageDetail, mine, lesson, handout } = contract.course
const JG = { sg_key: 'jg', area: '11' }
const DAY = 86_400_000
const HIDDEN = 'never to be served'
type Who = { uid: string; token: string }

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'Q', chapters: 1, perChapter: 2 }))
  await publishCourse(server, courseRow({ no: 'FREE', units: [['FREE_1', 'FREE_2']] }))
  const handouts = [{ title: '讲义', src: '/media/00112233445566778899.pdf', bytes: 5_000 }]
  const paid = { ...courseRow({ no: 'PAID', units: [['PAID_1', 'PAID_2'], ['PAID_3']] }), price: 9900, days: 365 }
  await publishCourse(server, { ...paid, subject: 'politics', libraries: ['Q'], handouts })
  await publishCourse(server, { ...courseRow({ no: 'OTHER', units: [['OTHER_1', 'OTHER_2']] }), price: 100, vip: true })
  await publishCourse(server, { ...courseRow({ no: 'TG', units: [['TG_1']] }), directions: ['tg'] })
  await publishCourse(server, { ...courseRow({ no: 'SH', units: [['SH_1']] }), areas: ['31'] })
  await pack(['PAID', 'OTHER'])
})
afterAll(() => server.close())

const pack = (courses: string[], over: object = {}) =>
  server.db.transaction().execute((tx) =>
    writePackage(tx, {
      no: 'PACK',
      title: '两门合购',
      intro: '<p>更省</p>',
      cover: { src: '/media/0123456789abcdef.svg', width: 640, height: 360 },
      price: 9950,
      vip: false,
      days: 365,
      withdrawn: false,
      directions: ['jg'],
      areas: [],
      courses,
      ...over,
    }),
  )
const give = async (kind: 'course' | 'package', no: string, until = server.clock.now + 30 * DAY) => {
  const who = await server.student()
  await server.db.insertInto('entitlement').values({ uid: who.uid, kind, no, until }).execute()
  return who
}

describe('what is offered', () => {
  test('a list has what is for the direction and area, with what a student chooses by', async () => {
    const all = await server.call(list, {}, '', JG)
    expect(all.map(({ no }) => no)).toEqual(['FREE', 'PAID', 'OTHER'])
    expect(all[1]).toMatchObject({
      subject: { no: 'politics' },
      seconds: 3 * LESSON_SECONDS,
      lessons: ['PAID_1', 'PAID_2', 'PAID_3'],
      trials: 1,
      at: server.clock.now,
      open: false,
      until: null,
    })
    const of = async (scope: object) => (await server.call(list, {}, '', { ...JG, ...scope })).map(({ no }) => no)
    expect(await of({ sg_key: 'tg' })).toContain('TG')
    expect(await of({ area: '31' })).toContain('SH')
    expect(await of({ area: '0' })).toContain('SH')
  })

  test('a detail has the catalogue, what belongs to it and what it is sold in, and no address of a lesson', async () => {
    const course = await server.call(detail, { no: 'PAID' })
    expect(course).toMatchObject({
      units: [
        {
          no: 'PAID_u1',
          lessons: [
            { no: 'PAID_1', trial: true },
            { no: 'PAID_2', trial: false },
          ],
        },
        { no: 'PAID_u2', lessons: [{ no: 'PAID_3' }] },
      ],
      libraries: [{ no: 'Q', title: 'Q 章节题库' }],
      handouts: [{ title: '讲义', bytes: 5_000, src: null }],
      packages: [{ no: 'PACK', title: '两门合购', price: 9950 }],
    })
    expect(JSON.stringify(course)).not.toMatch(/1\.mp3|\/media\/lesson|base/)
    expect(await server.ask(detail, { no: 'NONE' })).toMatchObject({
      status: 0,
      msg: '课程不存在或已下架，请返回看看其他课程',
    })
  })

  test('what a list says of its lessons is that of the lessons it has, also when it is published anew', async () => {
    const row = { ...courseRow({ no: 'SUM', units: [['SUM_1', 'SUM_2'], ['SUM_3']] }), directions: ['sums'] }
    const head = async () =>
      (await server.call(list, {}, '', { sg_key: 'sums', area: '0' })).find((c) => c.no === 'SUM')
    await publishCourse(server, row)
    expect(await head()).toMatchObject({ seconds: 180, trials: 1, lessons: ['SUM_1', 'SUM_2', 'SUM_3'] })
    const [first, second] = row.units
    if (!first || !second) throw new Error('two units')
    const turned = [second, { ...first, lessons: first.lessons.slice(1) }]
    await publishCourse(server, { ...row, units: turned })
    expect(await head()).toMatchObject({ seconds: 120, trials: 0, lessons: ['SUM_3', 'SUM_2'] })
  })

  test('courses that were there before have their sums', async () => {
    const row = courseRow({
      no: 'EARLIER',
      units: [
        ['EARLIER_2', 'EARLIER_1'],
        ['EARLIER_3', 'EARLIER_0'],
      ],
    })
    await publishCourse(server, { ...row, directions: ['sums'] })
    await server.db.updateTable('lesson').set({ retired: true }).where('no', '=', 'EARLIER_0').execute()
    const head = () => server.call(detail, { no: 'EARLIER' })
    const rolledBack = new Error('rolled back')
    const migrated = server.db.transaction().execute(async (tx) => {
      await sql`alter table course drop column seconds, drop column trials, drop column lessons`.execute(tx)
      await sql`drop index course_place`.execute(tx)
      await courseSums.up(tx)
      const { rows } = await sql`select seconds, trials, lessons from course where no = 'EARLIER'`.execute(tx)
      expect(rows).toEqual([{ seconds: 180, trials: 1, lessons: ['EARLIER_2', 'EARLIER_1', 'EARLIER_3'] }])
      throw rolledBack
    })
    await expect(migrated).rejects.toBe(rolledBack)
    expect((await head()).lessons).toHaveLength(4)
  })

  test('packages come with their courses, each with its catalogue', async () => {
    expect(await server.call(packages, {}, '', JG)).toMatchObject([
      { no: 'PACK', courses: ['PAID', 'OTHER'], open: false },
    ])
    expect(await server.call(packages, {}, '', { ...JG, sg_key: 'tg' })).toEqual([])
    const { courses, intro } = await server.call(packageDetail, { no: 'PACK' })
    expect(intro).toBe('<p>更省</p>')
    expect(courses.map(({ no, units }) => [no, units.length])).toEqual([
      ['PAID', 2],
      ['OTHER', 1],
    ])
    expect(await server.ask(packageDetail, { no: 'PAID' })).toMatchObject({
      status: 0,
      msg: '套餐不存在或已下架，请返回看看其他套餐',
    })
  })

  test('a lesson that left its course is in no catalogue and is had by nobody, and comes back', async () => {
    const row = (lessons: string[]) => courseRow({ no: 'MOVING', units: [lessons] })
    expect(await publishCourse(server, row(['M_1', 'M_2']))).toEqual({ added: 2, changed: 0, retired: 0 })
    expect(await publishCourse(server, row(['M_1']))).toEqual({ added: 0, changed: 0, retired: 1 })
    expect((await server.call(detail, { no: 'MOVING' })).lessons).toEqual(['M_1'])
    expect(await server.ask(lesson, { no: 'M_2' })).toMatchObject({
      status: 0,
      msg: '课时不存在或已下架，请返回课程重新打开',
    })
    expect(await publishCourse(server, row(['M_2', 'M_1']))).toEqual({ added: 1, changed: 0, retired: 0 })
    expect((await server.call(detail, { no: 'MOVING' })).lessons).toEqual(['M_2', 'M_1'])
    await publishCourse(server, { ...row([]), directions: ['nobody'] })
  })
})

describe('who may have what', () => {
  const soon = () => server.clock.now + 30 * DAY
  test.each([
    ['a visitor', async (): Promise<Who | null> => null, { PAID: false, OTHER: false, PACK: false }, null],
    ['a student', () => server.student(), { PAID: false, OTHER: false, PACK: false }, null],
    ['an owner', () => give('course', 'PAID', soon()), { PAID: true, OTHER: false, PACK: false }, soon],
    ['an owner of the package', () => give('package', 'PACK', soon()), { PAID: true, OTHER: true, PACK: true }, soon],
    ['an owner for good', () => give('course', 'PAID', FOR_GOOD), { PAID: true, OTHER: false, PACK: false }, null],
    [
      'whose right is over',
      () => give('course', 'PAID', server.clock.now),
      { PAID: false, OTHER: false, PACK: false },
      null,
    ],
    [
      'whose package is over',
      () => give('package', 'PACK', server.clock.now - 1),
      { PAID: false, OTHER: false, PACK: false },
      null,
    ],
  ] as const)('%s', async (_, come, open, until) => {
    const who: Who | null = await come()
    const token = who?.token ?? ''
    const head = async (no: string) => (await server.call(list, {}, token, JG)).find((each) => each.no === no)
    for (const no of ['PAID', 'OTHER'] as const) {
      const course = await server.call(detail, { no }, token)
      expect([no, course.open, course.until]).toEqual([no, open[no], open[no] ? (until?.() ?? null) : null])
      expect(await head(no)).toMatchObject({ open: course.open, until: course.until })
      expect(course.handouts.every(({ src }) => (src !== null) === open[no])).toBe(true)
      const first = await server.call(lesson, { no: `${no}_1` }, token)
      expect([first.rightUntil, (await server.app.inject(`${first.base}1.mp3`)).statusCode]).toEqual([null, 200])
      const second = await server.ask(lesson, { no: `${no}_2` }, token)
      expect(second).toMatchObject(
        open[no] ? { status: 1, data: { rightUntil: until?.() ?? null } } : { status: 0, data: null },
      )
    }
    expect((await server.call(packageDetail, { no: 'PACK' }, token)).open).toBe(open.PACK)
    expect(await head('FREE')).toMatchObject({ open: true, until: null })
    expect(await server.call(lesson, { no: 'FREE_2' }, token)).toMatchObject({ rightUntil: null })
  })

  test('a refusal says what opens the lesson', async () => {
    const msg = async (no: string, token = '') => (await server.ask(lesson, { no }, token)).msg
    const { token } = await server.student()
    expect(await msg('PAID_2', token)).toBe('购买《PAID 课程》或套餐《两门合购》后可以学习这个课时')
    expect(await msg('OTHER_2', token)).toBe('购买《OTHER 课程》、套餐《两门合购》或开通 VIP 后可以学习这个课时')
    expect(await msg('PAID_2')).toBe('购买《PAID 课程》或套餐《两门合购》后可以学习这个课时；已经购买的请先登录')
    const late = await give('course', 'PAID', server.clock.now - DAY)
    expect(await msg('PAID_2', late.token)).toMatch(/^已到期，购买《PAID 课程》/)
  })

  test('what a package leaves out stays with who bought it, and is sold in it no more', async () => {
    const who = await give('package', 'PACK')
    await pack(['PAID'])
    try {
      expect(await server.call(detail, { no: 'OTHER' }, who.token)).toMatchObject({ open: true, packages: [] })
      expect((await server.call(packageDetail, { no: 'PACK' })).courses.map(({ no }) => no)).toEqual(['PAID'])
      expect((await server.call(mine, {}, who.token)).map(({ no }) => no)).toEqual(['PAID', 'OTHER'])
    } finally {
      await pack(['PAID', 'OTHER'])
    }
  })

  test('mine are those bought, though over, and those begun, watched last first, of any direction', async () => {
    const who = await give('course', 'PAID', server.clock.now - DAY)
    const op = plainOps(() => server.clock.now)
    const watch = (courseNo: string, lessonNo: string, ago: number) => ({
      ...op('watch', 1, { courseNo, lessonNo, watched: [[0, 10]], position: 10 }),
      at: server.clock.now - ago,
    })
    const ops = [watch('TG', 'TG_1', 3_000), watch('FREE', 'FREE_1', 2_000)]
    const batch = { device: randomUUID(), owner: who.uid, proto: 1 as const, sentAt: server.clock.now, cursor: 0, ops }
    await server.call(contract.study.sync, batch, who.token)
    const own = await server.call(mine, {}, who.token, JG)
    expect(own.map(({ no, open }) => [no, open])).toEqual([
      ['FREE', true],
      ['TG', true],
      ['PAID', false],
    ])
    expect(await server.call(mine, {}, (await server.student()).token)).toEqual([])
    expect(await server.ask(mine, {})).toMatchObject({ status: 2 })
  })
})

const get = (url: string, headers = {}) => server.app.inject({ url, headers })

describe('a handout of a course that is not free', () => {
  const src = '/media/00112233445566778899.pdf'
  const free = '/media/ffeeddccbbaa99887766.pdf'
  beforeAll(() => {
    for (const address of [src, free]) writeFileSync(path.join(server.mediaDir, path.basename(address)), '%PDF-1.7')
  })
  const signed = async () => (await server.call(handout, { src }, (await give('course', 'PAID')).token)).src

  test('is not had by its public address, as one of a free course, or of none, is', async () => {
    const { statusCode, body, headers } = await get(src)
    expect([statusCode, body, headers['cache-control']]).toEqual([403, '请从课程里打开这份讲义', 'no-store'])
    expect((await server.app.inject({ method: 'HEAD', url: src })).statusCode).toBe(403)
    expect((await get(free)).statusCode).toBe(200)
    const both = { ...courseRow({ no: 'BOTH', units: [['BOTH_1']] }), directions: ['nobody'] }
    const handouts = [src, free].map((address) => ({ title: '讲义', src: address, bytes: 8 }))
    await publishCourse(server, { ...both, handouts })
    expect((await get(src)).statusCode).toBe(200)
    await publishCourse(server, both)
    expect((await get(src)).statusCode).toBe(403)
  })

  test('is had for half an hour by who has the course, alone or in a package, and nobody else is told where', async () => {
    for (const kind of ['course', 'package'] as const) {
      const { token } = await give(kind, kind === 'course' ? 'PAID' : 'PACK')
      const at = await server.call(handout, { src }, token)
      expect(at.until - server.clock.now).toBe(30 * 60_000)
      const { statusCode, body, headers } = await get(at.src)
      expect([statusCode, body]).toEqual([200, '%PDF-1.7'])
      expect(headers).toMatchObject({
        'content-type': 'application/pdf',
        'cache-control': 'private, max-age=1800',
        'content-disposition': 'attachment; filename="00112233445566778899.pdf"',
        'content-security-policy': expect.stringContaining('sandbox'),
      })
    }
    const over = await give('course', 'PAID', server.clock.now - DAY)
    const buy = '购买《PAID 课程》或套餐《两门合购》后可以看这份讲义'
    for (const [token, msg] of [
      [(await server.student()).token, buy],
      [over.token, `已到期，${buy}`],
      ['', `${buy}；已经购买的请先登录`],
    ] as const)
      expect(await server.ask(handout, { src }, token)).toMatchObject({ status: 0, msg, data: null })
    expect(await server.ask(handout, { src: free })).toMatchObject({
      status: 0,
      msg: '讲义不存在或已下架，请从课程里重新打开',
    })
  })

  test('its address is of no other file, no other end and no lesson, and ends', async () => {
    const at = await signed()
    const [, , , text = '', name = ''] = at.split('/')
    const [until = '', signature = ''] = text.split('.')
    const later = (Number.parseInt(until, 36) + 3_600).toString(36)
    const { base } = await server.call(lesson, { no: 'FREE_1' })
    for (const url of [
      at.replace(name, path.basename(free)),
      at.replace(text, `${later}.${signature}`),
      at.replace(text, `${until}.`),
      at.replace(text, base.split('/')[3] ?? ''),
    ]) {
      const { statusCode, headers } = await get(url)
      expect([url, statusCode, headers['cache-control']]).toEqual([url, 403, 'no-store'])
    }
    for (const way of ['..%2f', '%2e%2e%2f']) expect((await get(at.replace(name, way + name))).statusCode).not.toBe(200)
    const now = server.clock.now
    try {
      server.clock.now += 30 * 60_000
      expect((await get(at)).statusCode).toBe(403)
    } finally {
      server.clock.now = now
    }
  })
})

describe('the address of a lesson', () => {
  const owned = async () => server.call(lesson, { no: 'PAID_2' }, (await give('course', 'PAID')).token)

  test('gives its files, whole and in parts, for the lesson’s length and pauses, at least half an hour', async () => {
    const { base, until } = await owned()
    expect(until - server.clock.now).toBe(30 * 60_000)
    const whole = await get(`${base}1.mp3`)
    expect([whole.statusCode, whole.rawPayload.length]).toEqual([200, 1_000])
    expect(whole.headers).toMatchObject({
      'content-type': 'audio/mpeg',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=1800',
      'accept-ranges': 'bytes',
    })
    const part = await get(`${base}1.mp3`, { range: 'bytes=990-' })
    expect([part.statusCode, part.headers['content-range'], part.body]).toEqual([
      206,
      'bytes 990-999/1000',
      whole.body.slice(990),
    ])
    expect((await get(`${base}1.mp3`, { range: 'bytes=5000-' })).statusCode).toBe(416)
    const head = await server.app.inject({ method: 'HEAD', url: `${base}1.mp3` })
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '1000', ''])
    const long = { ...courseRow({ no: 'LONG', units: [['LONG_1']] }), directions: ['nobody'] }
    for (const each of long.units[0]?.lessons ?? []) each.seconds = 3_600
    await publishCourse(server, long)
    const { until: later } = await server.call(lesson, { no: 'LONG_1' })
    expect(later - server.clock.now).toBe(70 * 60_000)
  })

  test('names that a playlist gives are found beside it', async () => {
    const { base, rev } = await owned()
    const folder = path.join(server.mediaDir, 'lesson', rev, '2')
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'main.m3u8'), '#EXTM3U\n#EXTINF:4,\nv0.m4s\n')
    writeFileSync(path.join(folder, 'v0.m4s'), 'piece')
    const playlist = await get(`${base}2/main.m3u8`)
    expect(playlist.headers['content-type']).toBe('application/vnd.apple.mpegurl')
    const named = playlist.body.split('\n').find((line) => line.endsWith('.m4s')) ?? ''
    const piece = await get(new URL(named, `http://x${base}2/main.m3u8`).pathname)
    expect([piece.body, piece.headers['content-type']]).toEqual(['piece', 'video/iso.segment'])
  })

  test('is of no other lesson, of no other files, and of no other end', async () => {
    const { base, rev } = await owned()
    const [, , , signed = ''] = base.split('/')
    const [until = '', signature = ''] = signed.split('.')
    const at = (text: string, of = 'PAID_2', files = rev) => `/media/lesson/${text}/${of}/${files}/1.mp3`
    const later = (Number.parseInt(until, 36) + 3_600).toString(36)
    for (const url of [
      at(signed, 'PAID_3', 'rev_PAID_3'),
      at(signed, 'PAID_2', 'rev_PAID_3'),
      at(signed, 'PAID_3'),
      at(`${later}.${signature}`),
      at(`${until}.${signature.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}`),
      at(`${until}.`),
      at(until),
      at(`.${signature}`),
      at(`${until}.${signature}=`),
    ]) {
      const { statusCode, body, headers } = await get(url)
      expect([url, statusCode, body]).toEqual([url, 403, '播放地址已失效，请重新打开这个课时'])
      expect(headers['cache-control']).toBe('no-store')
    }
    expect((await get(at(signed))).statusCode).toBe(200)
  })

  test('leads to nothing but the lesson’s own files', async () => {
    const { base } = await owned()
    writeFileSync(path.join(server.mediaDir, 'secret.mp3'), HIDDEN)
    writeFileSync(path.join(server.mediaDir, 'lesson', 'rev_PAID_2', '.hidden.mp3'), HIDDEN)
    writeFileSync(path.join(server.mediaDir, 'lesson', 'rev_PAID_2', 'notes.json'), HIDDEN)
    for (const name of [
      '../rev_PAID_3/1.mp3',
      '..%2frev_PAID_3%2f1.mp3',
      '%2e%2e/%2e%2e/secret.mp3',
      '..%5c..%5csecret.mp3',
      '%2fetc%2fpasswd',
      '.hidden.mp3',
      'notes.json',
      '1.mp3%00.mp3',
      '1.mp3/',
      '',
      '2.mp3',
    ]) {
      const { statusCode, body } = await get(`${base}${name}`)
      expect([name, [403, 404].includes(statusCode), body.includes(HIDDEN)]).toEqual([name, true, false])
    }
  })

  test('ends, and lets nothing be kept for longer', async () => {
    const { base, until } = await owned()
    const now = server.clock.now
    try {
      server.clock.now = until - 5_000
      expect((await get(`${base}1.mp3`)).headers['cache-control']).toBe('private, max-age=5')
      server.clock.now = until
      expect((await get(`${base}1.mp3`)).statusCode).toBe(403)
    } finally {
      server.clock.now = now
    }
  })

  test('is known to every replica, those that start at once too', async () => {
    const { db, mediaDir } = server
    await db.deleteFrom('setting').where('key', '=', 'media.secret').execute()
    const parts = {
      db,
      mediaDir,
      bucketDir: server.bucketDir,
      site: SITE,
      now: () => server.clock.now,
      sms: { sendCode: async () => {} },
    }
    const apps = await Promise.all([1, 2, 3].map(() => buildApp(parts)))
    const bases = await Promise.all(
      apps.map(async (app) => {
        const form = { 'content-type': 'application/x-www-form-urlencoded' }
        const response = await app.inject({
          method: 'POST',
          url: '/pcapi/course/lesson',
          headers: form,
          payload: 'no=FREE_1',
        })
        return response.json<{ data: { base: string } }>().data.base
      }),
    )
    expect(new Set(bases).size).toBe(1)
    for (const app of apps) {
      expect((await app.inject(`${bases[0]}1.mp3`)).statusCode).toBe(200)
      await app.close()
    }
  })
})

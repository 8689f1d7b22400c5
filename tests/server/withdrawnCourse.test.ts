import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { givePublished, takePublished } from '#server/bin/publishCommands.ts'
import { type CourseRow, type PackageRow, writePackage } from '#server/course/store.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { courseFolder, courseJson, courseRow, packageJson, publishCourse } from '#tests/support/courses.ts'
import { plainOps } from '#tests/support/ops.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { packageJson as vipPackage, publishVip, vipJson } from '#tests/support/shop.ts'

const { list, detail, packages, package: packageDetail, mine, lesson, handout } = contract.course
const JG = { sg_key: 'jg', area: '11' }
const DAY = 86_400_000
const src = '/media/00112233445566778899.pdf'
const gratis = '/media/ffeeddccbbaa99887766.pdf'

let server: TestServer
const paid: CourseRow = {
  ...courseRow({ no: 'PAID', units: [['PAID_1', 'PAID_2']] }),
  price: 9900,
  handouts: [{ title: '讲义', src, bytes: 8 }],
}
const free: CourseRow = {
  ...courseRow({ no: 'FREE', units: [['FREE_1', 'FREE_2']] }),
  handouts: [{ title: '讲义', src: gratis, bytes: 8 }],
}
const other: CourseRow = { ...courseRow({ no: 'OTHER', units: [['OTHER_1']] }), price: 100 }
const pack: PackageRow = {
  no: 'PACK',
  title: '两门合购',
  intro: '',
  cover: paid.cover,
  price: 9950,
  vip: false,
  days: null,
  withdrawn: false,
  directions: [],
  areas: [],
  courses: ['PAID', 'OTHER'],
}
const publish = async (row: CourseRow, withdrawn: boolean) => publishCourse(server, { ...row, withdrawn })
const putPackage = (withdrawn: boolean) =>
  server.db.transaction().execute((tx) => writePackage(tx, { ...pack, withdrawn }))
beforeAll(async () => {
  server = await startServer()
  for (const each of [src, gratis]) writeFileSync(path.join(server.mediaDir, path.basename(each)), '%PDF-1.7')
})
afterAll(() => server.close())

const give = async (kind: 'course' | 'package', no: string, until = server.clock.now + 30 * DAY) => {
  const who = await server.student()
  await server.db.insertInto('entitlement').values({ uid: who.uid, kind, no, until }).execute()
  return who.token
}
const begin = async (course: string, no: string) => {
  const { uid, token } = await server.student()
  const payload = { courseNo: course, lessonNo: no, watched: [[0, 20]], position: 20 }
  const ops = [plainOps(() => server.clock.now)('watch', 1, payload)]
  const batch = { device: randomUUID(), owner: uid, proto: 1 as const, sentAt: server.clock.now, cursor: 0, ops }
  await server.call(contract.study.sync, batch, token)
  return token
}
const listed = async (token = '') => (await server.call(list, {}, token, JG)).map(({ no }) => no)
const has = async (no: string, token = '') => (await server.ask(lesson, { no }, token)).status === 1

test('a course that is withdrawn is in no list, and who bought it, alone or in a package, keeps all of it', async () => {
  for (const row of [paid, other]) await publish(row, false)
  await putPackage(false)
  const owner = await give('course', 'PAID')
  const packed = await give('package', 'PACK')
  const over = await give('course', 'PAID', server.clock.now - 1)
  await publish(paid, true)
  await putPackage(true)
  for (const token of ['', owner]) expect(await listed(token)).toEqual(['OTHER'])
  expect((await server.call(contract.home.getHomeData, {}, '', JG)).courses.map(({ no }) => no)).toEqual(['OTHER'])
  expect(await server.call(packages, {}, packed, JG)).toEqual([])
  expect((await server.call(detail, { no: 'OTHER' })).packages).toEqual([])
  for (const token of [owner, packed]) {
    const course = await server.call(detail, { no: 'PAID' }, token)
    expect(course).toMatchObject({ withdrawn: true, open: true, trials: 1, handouts: [{ src }] })
    expect([await has('PAID_1', token), await has('PAID_2', token)]).toEqual([true, true])
    const at = await server.call(handout, { src }, token)
    expect((await server.app.inject(at.src)).statusCode).toBe(200)
    expect((await server.call(mine, {}, token)).map(({ no }) => no)).toContain('PAID')
  }
  expect(await server.call(packageDetail, { no: 'PACK' }, packed)).toMatchObject({ withdrawn: true, open: true })
  for (const token of ['', over]) {
    const course = await server.call(detail, { no: 'PAID' }, token)
    expect(course).toMatchObject({ withdrawn: true, open: false, trials: 0, handouts: [] })
    expect(course.units.flatMap(({ lessons }) => lessons).some(({ trial }) => trial)).toBe(false)
    for (const no of ['PAID_1', 'PAID_2']) expect(await has(no, token)).toBe(false)
  }
  expect(await server.ask(lesson, { no: 'PAID_1' })).toMatchObject({
    msg: '《PAID 课程》已下架；已经购买的请先登录',
  })
  expect(await server.ask(handout, { src }, over)).toMatchObject({ msg: '《PAID 课程》已下架' })
})

test('published again it is what it was before', async () => {
  await publish(paid, false)
  await putPackage(false)
  expect(await listed()).toEqual(['PAID', 'OTHER'])
  expect(await has('PAID_1')).toBe(true)
  expect(await server.ask(lesson, { no: 'PAID_2' })).toMatchObject({
    msg: '购买《PAID 课程》或套餐《两门合购》后可以学习这个课时；已经购买的请先登录',
  })
  expect((await server.call(packages, {}, '', JG)).map(({ no }) => no)).toEqual(['PACK'])
})

test('what is withdrawn alone is still had in a package', async () => {
  await publish(paid, true)
  expect(await server.ask(lesson, { no: 'PAID_2' })).toMatchObject({
    msg: '购买套餐《两门合购》后可以学习这个课时；已经购买的请先登录',
  })
  expect(await has('PAID_2', await give('package', 'PACK'))).toBe(true)
})

test('a free course that is withdrawn stays with who has begun it, progress and all', async () => {
  await publish(free, false)
  const begun = await begin('FREE', 'FREE_1')
  const paidBegun = await begin('PAID', 'PAID_1')
  await publish(free, true)
  expect(await listed(begun)).not.toContain('FREE')
  expect((await server.call(mine, {}, begun)).map(({ no, open }) => [no, open])).toEqual([['FREE', true]])
  expect([await has('FREE_1', begun), await has('FREE_2', begun)]).toEqual([true, true])
  expect((await server.app.inject((await server.call(handout, { src: gratis }, begun)).src)).statusCode).toBe(200)
  for (const token of ['', (await server.student()).token]) expect(await has('FREE_1', token)).toBe(false)
  expect((await server.app.inject(gratis)).statusCode).toBe(403)
  expect(await has('PAID_2', paidBegun), 'to have tried one that is sold buys nothing').toBe(false)
})

test('an operator says so in the file, and takes it back by publishing it without', async () => {
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'Q', chapters: 1, perChapter: 2 }))
  await publish(free, false)
  const folder = courseFolder()
  const take = (name: 'course' | 'package', json: object) => {
    const file = path.join(folder, `${name}.json`)
    writeFileSync(file, JSON.stringify(json))
    return takePublished(server.db, 'import', [{ file, kind: name }], false, server.mediaDir)
  }
  expect(await take('course', { ...courseJson, withdrawn: true })).toMatchObject({ code: 0 })
  expect((await take('package', { ...packageJson, withdrawn: true })).lines.join('\n')).toContain(
    '提醒 courses[0]：课程 C 已下架，只随课程包提供',
  )
  for (const no of ['C', 'PK'])
    expect(JSON.parse((await givePublished(server.db, no, undefined, server.mediaDir)).lines.join(''))).toMatchObject({
      withdrawn: true,
    })
  expect(await listed()).not.toContain('C')
  await take('course', courseJson)
  expect(await listed()).toContain('C')
})

test('a VIP package promises no course and no package that is withdrawn', async () => {
  const unlocks = [{ kind: 'course' as const }, { kind: 'package' as const }]
  await publishVip(server, vipJson(vipPackage('V', { unlocks })))
  const counts = async () =>
    (await server.call(contract.vip.detail, { no: 'V' }, '', JG)).unlocks.map(({ count }) => count)
  const put = async (withdrawn: boolean) => {
    for (const each of [paid, other]) await publish({ ...each, vip: true }, withdrawn)
    await server.db.transaction().execute((tx) => writePackage(tx, { ...pack, vip: true, withdrawn }))
  }
  await put(false)
  expect(await counts()).toEqual([2, 1])
  await put(true)
  expect(await counts()).toEqual([0, 0])
})

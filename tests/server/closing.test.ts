import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { rankSome } from '#server/exam/ranking.ts'
import { markSeen } from '#server/news/store.ts'
import { post } from '#server/wallet/store.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { givePassword, requestCode } from '#tests/support/login.ts'
import { articleJson, newsJson, publishNews } from '#tests/support/news.ts'
import { answerOp, opOf, syncAs } from '#tests/support/ops.ts'
import { giveAddress, giveCoupon } from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { sitExam } from '#tests/support/sitExam.ts'

/** Tables with a uid that stay when a student goes, and why. Each has no foreign key to the student. */
const OUTLIVES: Record<string, string> = {
  exam_entry: 'ranked scores stay under a uid that is nobody’s, so that nobody else’s place moves; the rest is deleted',
  orders: 'trade, three years by law',
  order_line: 'trade',
  payment: 'trade',
  ledger_entry: 'trade: books are never changed',
  wallet: 'what the entries come to; one without entries is deleted',
  entitlement_grant: 'trade: what was delivered for an order',
  coupon_owned: 'trade: what took its sum off an order; one that no order used is deleted',
}

/** Tables whose rows stay under nobody's uid, and why. */
const FORGETS: Record<string, string> = {
  security_event: 'six months of who tried to get in and what was changed, by law; the mobile in it is masked',
}

const PASSWORD = 'the old password'
const BEGUN = Date.UTC(2026, 10, 21, 4)
const { close, getUserInfo, openMatters } = contract.user
const refused = (msg: string) => ({ status: 0, msg, data: null })

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'R', chapters: 1, perChapter: 4 }))
  for (const no of ['E1', 'E2']) await publishExam(server.db, examJson({ no, paper: [['R_q1', 'R_q2']] }))
  await publishNews(server, newsJson({ articles: [articleJson('N1')] }))
})
afterAll(() => server.close())

type Student = Awaited<ReturnType<TestServer['student']>>
async function withPassword(): Promise<Student> {
  const who = await server.student()
  await givePassword(server.db, who.uid, PASSWORD)
  return who
}
const closing = ({ token }: Student, proof: object = { oldPassword: PASSWORD }) =>
  server.ask(close, { word: '注销', ...proof }, token)

/** Hands in an exam of two questions. */
async function sit(student: Student, no: string, right: number): Promise<string> {
  await server.call(contract.exam.apply, { no }, student.token)
  const { rev } = await server.call(contract.exam.paper, { no }, student.token)
  const answers = { R_q1: right > 0 ? 'B' : 'A', R_q2: right > 1 ? 'B' : 'A' }
  return sitExam(server, student, { no, rev, answers, begunAt: BEGUN, tookMs: 600_000 })
}
const rankOf = async (no: string, token = '') => {
  while (await rankSome(server.db, server.clock.now));
  return server.call(contract.exam.rank, { no }, token)
}

/** Everywhere in the database that a text stands, as table.column. */
async function whereIs(text: string): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select c.table_name as table, c.column_name as column from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'`.execute(server.db)
  const found: string[] = []
  for (const { table, column } of columns) {
    const { rows } =
      await sql`select from ${sql.table(table)} where strpos(${sql.ref(column)}::text, ${text}) > 0 limit 1`.execute(
        server.db,
      )
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
}

describe('every table that has a student’s uid', () => {
  test('goes with the student by its foreign key or forgets them, or is named here with the reason why it stays', async () => {
    const { rows } = await sql<{ name: string; rule: string | null }>`
      select c.relname as name, (
        select k.confdeltype::text from pg_constraint k
        where k.contype = 'f' and k.conrelid = c.oid and k.confrelid = 'student'::regclass and k.conkey = array[a.attnum]
      ) as rule
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname = 'uid' and c.relname <> 'student'`.execute(
      server.db,
    )
    expect(rows.length).toBeGreaterThan(5)
    const goes = rows.filter(({ rule }) => rule === 'c').map(({ name }) => name)
    const forgets = rows.filter(({ rule }) => rule === 'n').map(({ name }) => name)
    const stays = rows.filter(({ rule }) => rule === null).map(({ name }) => name)
    // What has a key that neither cascades nor forgets would keep every student who has a row from closing.
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...goes, ...forgets, ...stays].toSorted())
    expect(forgets.toSorted()).toEqual(Object.keys(FORGETS).toSorted())
    expect(stays.toSorted()).toEqual(Object.keys(OUTLIVES).toSorted())
  })
})

describe('user/close', () => {
  test('leaves nothing of the student anywhere but a place in rankings under nobody’s name', async () => {
    const me = await withPassword()
    const other = await server.student()
    const at = server.clock.now
    await server.call(contract.user.save, { nickname: '要走的人' }, me.token)
    await syncAs(server, me, [
      answerOp('R_q1', false, { seq: 1, at }),
      opOf('note', { questionNo: 'R_q2', text: '只写给自己的笔记', over: [] }, { seq: 2, at }),
      opOf('setting', { name: 'examDate', value: '2027-06-07' }, { seq: 3, at }),
    ])
    await markSeen(server.db, 'N1', `u:${me.uid}`, at)
    for (const { token } of [me, other])
      await server.call(contract.consent.choose, { kind: 'rankName', given: true }, token)
    const attempts = [await sit(me, 'E1', 2), await sit(other, 'E1', 1)]
    expect((await rankOf('E1', other.token)).mine).toMatchObject({ rank: 2 })
    await requestCode(server, me.mobile)
    expect(await whereIs(me.uid)).toEqual(
      expect.arrayContaining(['student.uid', 'study_op.uid', 'study_record.uid', 'news_seen.reader', 'exam_entry.uid']),
    )

    expect(await closing(me)).toEqual({ status: 1, msg: '账号已注销', data: null })
    for (const text of [me.uid, '要走的人', '只写给自己的笔记', attempts[0] ?? ''])
      expect(await whereIs(text)).toEqual([])
    expect(await whereIs(me.mobile)).toEqual(['rate.key'])

    const after = await rankOf('E1', other.token)
    expect(after).toMatchObject({ ranked: 2, mine: { rank: 2 } })
    expect(after.top.map(({ name, score, rank }) => [name, score, rank])).toEqual([
      ['匿名考生', 100, 1],
      [expect.stringMatching(/^学/), 50, 2],
    ])
  })

  test('a hand-in that no ranking has counted goes, and no ranking counts it later', async () => {
    const me = await withPassword()
    await sit(me, 'E2', 2)
    expect(await closing(me)).toMatchObject({ status: 1 })
    expect(await rankOf('E2')).toMatchObject({ ranked: 0, top: [] })
    expect(await whereIs(me.uid)).toEqual([])
  })

  test('frees the mobile: who logs in with it next is somebody new, with nothing', async () => {
    const me = await withPassword()
    await syncAs(server, me, [answerOp('R_q1', true, { seq: 1, at: server.clock.now })])
    await closing(me)
    const { loginByPassword, mobileCodeLogin } = contract.login
    expect(await server.ask(loginByPassword, { mobile: me.mobile, password: PASSWORD })).toEqual(
      refused('账号或密码不正确，请重新输入'),
    )
    const code = await requestCode(server, me.mobile)
    const { uid, token } = await server.call(mobileCodeLogin, { mobile: me.mobile, code })
    expect(uid).not.toBe(me.uid)
    expect(await syncAs(server, { uid, token }, [])).toMatchObject({ changes: [] })
  })

  test('every device is logged out, and what it still has reaches no account, not even the next one of this mobile', async () => {
    const me = await withPassword()
    const elsewhere = await server.student(me.mobile)
    await closing(me)
    expect(await server.ask(getUserInfo, {}, me.token)).toMatchObject({ status: 2, data: null })
    expect(await server.ask(getUserInfo, {}, elsewhere.token)).toMatchObject({ status: 2, data: { ended: true } })
    const next = await server.student(me.mobile)
    const late = syncAs(server, { uid: me.uid, token: next.token }, [answerOp('R_q1', true, { seq: 1, at: 1 })])
    await expect(late).rejects.toThrow('study/sync: 0')
  })

  test.each([
    ['no proof', {}, '请输入原密码，或用短信验证码验证'],
    ['a wrong password', { oldPassword: 'a guess' }, '原密码不正确，请重新输入，或用短信验证码验证'],
    ['a code that nobody sent', { code: '123456' }, '验证码不正确或已过期，请重新获取'],
    ['another word', { word: '注 销', oldPassword: PASSWORD }, '请输入“注销”两个字'],
  ])('%s closes nothing', async (_, proof, msg) => {
    const me = await withPassword()
    expect(await server.ask(close, { word: '注销', ...proof } as { word: '注销' }, me.token)).toEqual(refused(msg))
    expect(await server.ask(getUserInfo, {}, me.token)).toMatchObject({ status: 1 })
  })

  test('a code sent to the mobile is proof enough', async () => {
    const me = await server.student()
    const code = await requestCode(server, me.mobile)
    expect(await closing(me, { code })).toMatchObject({ status: 1 })
  })

  test('guesses are counted', async () => {
    const me = await withPassword()
    for (let i = 0; i < 10; i++) await closing(me, { oldPassword: `guess ${i}` })
    expect(await closing(me)).toEqual(refused('注销账号过于频繁，请1小时后再试'))
  })

  test('who has nothing open is told so', async () => {
    const me = await server.student()
    expect(await server.call(openMatters, {}, me.token)).toEqual([])
  })

  test('an order that is not done and money in the wallet keep it open, and say what to do; done and spent they stay, and it closes', async () => {
    const me = await withPassword()
    const { uid } = me
    const topUp = { uid, kind: 'topUp', order: null, at: BEGUN } as const
    const pay = (name: string, amount: number) =>
      server.db
        .transaction()
        .execute((tx) => post(tx, { ...topUp, tx: name, entries: { wallet: amount, 'outside:sandbox': -amount } }))
    await pay('in', 1_250)
    await sql`insert into orders (uid, id, key, state, created_at, expires_at, ships, goods, freight, discount, wallet, due, remark)
      values (${uid}, ${`o-${uid}`}, gen_random_uuid(), 'shipped', 1, 2, true, 100, 0, 0, 0, 100, '')`.execute(
      server.db,
    )
    await sql`insert into coupon (no, title, off_kind, off_value, threshold, from_at, until_at) values ('CC', '减', 'fen', 1, 0, 1, 2)`.execute(
      server.db,
    )
    await sql`insert into coupon_owned (uid, id, coupon_no, at, order_id) values
      (${uid}, 'used', 'CC', 1, ${`o-${uid}`}), (${uid}, 'unused', 'CC', 1, null)`.execute(server.db)
    const matters = [
      '还有 1 笔订单没有完成，请先在“我的订单”里取消、确认收货，或等退款办完',
      '钱包里还有 12.50 元，请先用完，或联系客服退还',
    ]
    expect(await server.call(openMatters, {}, me.token)).toEqual(matters)
    expect(await closing(me)).toEqual(refused(`账号还不能注销：${matters.join('；')}`))
    expect(await server.ask(getUserInfo, {}, me.token)).toMatchObject({ status: 1 })
    await pay('out', -1_250)
    await sql`update orders set state = 'completed' where uid = ${uid}`.execute(server.db)
    expect(await closing(me)).toMatchObject({ status: 1 })
    expect((await whereIs(uid)).toSorted()).toEqual(
      [
        'coupon_owned.order_id',
        'coupon_owned.uid',
        'ledger_entry.uid',
        'orders.id',
        'orders.uid',
        'wallet.uid',
      ].toSorted(),
    )
    expect(await server.db.selectFrom('coupon_owned').select('id').where('uid', '=', uid).execute()).toEqual([
      { id: 'used' },
    ])
  })

  test('takes nothing of another student', async () => {
    const [me, other] = [await withPassword(), await server.student()]
    const at = server.clock.now
    for (const who of [me, other]) {
      await syncAs(server, who, [answerOp('R_q1', true, { seq: 1, at })])
      await giveAddress(server, who)
      await giveCoupon(server, who)
      await server.call(contract.exam.apply, { no: 'E2' }, who.token)
      await sit(who, 'E1', 1)
    }
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'uid'
      order by 1`.execute(server.db)
    const counts = async () => {
      const found: Record<string, number> = {}
      for (const { name } of tables) {
        const { rows } = await sql<{ n: number }>`
          select count(*)::int as n from ${sql.table(name)} where uid = ${other.uid}`.execute(server.db)
        found[name] = rows[0]?.n ?? 0
      }
      return found
    }
    const before = await counts()
    expect(before).toMatchObject({ coupon_owned: 1, exam_entry: 1, exam_apply: 2, session: 1, study_op: 5 })
    expect(await closing(me)).toMatchObject({ status: 1 })
    expect(await counts()).toEqual(before)
  })

  test('a call that is under way finds no student, and writes nothing', async () => {
    const me = await withPassword()
    const at = server.clock.now
    const work = Array.from({ length: 6 }, (_, i) =>
      syncAs(server, me, [answerOp('R_q1', true, { seq: i + 1, at })]).catch(() => null),
    )
    await Promise.all([...work, closing(me)])
    expect(await whereIs(me.uid)).toEqual([])
  })
})

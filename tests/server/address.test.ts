import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Address, type AddressForm, MAX_ADDRESSES } from '#src/contract/address.ts'
import { contract } from '#src/contract/index.ts'
import { readAddress } from '#server/address/store.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const { myAddress, saveAddress, delAddress } = contract.user
const HOME: AddressForm = {
  name: '张三',
  mobile: '13800001111',
  province: '430000',
  city: '430100',
  district: '430105',
  detail: '德雅路109号',
}
const NONE = { status: 0, msg: '地址不存在或已删除，请刷新页面后重新选择', data: null }

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** A student with addresses at these details, one after another. */
async function withAddresses(...details: string[]) {
  const student = await server.student()
  for (const detail of details) {
    server.clock.now += 1_000
    await add(student.token, { detail })
  }
  return student
}
const add = (token: string, changed: Partial<AddressForm> = {}, newId: string = randomUUID()) =>
  server.call(saveAddress, { newId, ...HOME, ...changed }, token)
const list = (token: string) => server.call(myAddress, {}, token)
const shown = (all: readonly Address[]) => all.map(({ detail, isDefault }) => (isDefault ? `${detail}*` : detail))
const idOf = (all: readonly Address[], detail: string): string => {
  const found = all.find((each) => each.detail === detail)
  if (!found) throw new Error(`no address ${detail}`)
  return found.id
}

describe('saving', () => {
  test('an address comes back whole, places by the server’s names, and the first one is the default', async () => {
    const { uid, token } = await server.student()
    const newId = randomUUID()
    const saved = {
      id: newId,
      name: '张三',
      mobile: '13800001111',
      province: { code: '430000', name: '湖南省' },
      city: { code: '430100', name: '长沙市' },
      district: { code: '430105', name: '开福区' },
      detail: '德雅路109号',
      isDefault: true,
    }
    expect(await server.ask(saveAddress, { newId, ...HOME, name: '  张三 ' }, token)).toEqual({
      status: 1,
      msg: '保存成功',
      data: [saved],
    })
    expect(await list(token)).toEqual([saved])
    expect(await readAddress(server.db, uid, newId)).toEqual(saved)
  })

  test('a city without districts needs none', async () => {
    const { token } = await server.student()
    const { district: _, ...rest } = HOME
    const [saved] = await server.call(
      saveAddress,
      { newId: randomUUID(), ...rest, province: '440000', city: '441900' },
      token,
    )
    expect(saved?.district).toBeNull()
  })

  test('sent again, an address is added once, as it is by then', async () => {
    const { token } = await server.student()
    const newId = randomUUID()
    await add(token, {}, newId)
    await add(token, { detail: '德雅路110号' }, newId)
    expect(shown(await list(token))).toEqual(['德雅路110号*'])
  })

  test('at the same moment, too', async () => {
    const { token } = await server.student()
    const newId = randomUUID()
    await Promise.all(Array.from({ length: 6 }, () => add(token, {}, newId)))
    expect(await list(token)).toHaveLength(1)
  })

  test('an id changes that one and leaves the rest', async () => {
    const { token } = await withAddresses('1号', '2号')
    const id = idOf(await list(token), '1号')
    await server.call(saveAddress, { id, ...HOME, detail: '一号' }, token)
    // What was the default stays it until another takes its place.
    expect(shown(await list(token))).toEqual(['一号*', '2号'])
  })

  const SIGNS = '字'.repeat(21)
  test.each([
    ['no name', { name: ' ' }, '请输入收件人'],
    ['a long name', { name: SIGNS }, '收件人最多20个字'],
    ['a mobile of ten digits', { mobile: '1380000111' }, '请输入合法的手机号'],
    ['no detail', { detail: '\n\u0000 ' }, '请输入详细地址'],
    ['a long detail', { detail: '字'.repeat(101) }, '详细地址最多100个字'],
    ['a code that is none', { city: '长沙' }, '请选择省市区'],
    ['a city of another province', { province: '440000' }, '请重新选择省市区'],
    ['a district of another city', { district: '440305' }, '请重新选择省市区'],
    ['a code that never was', { district: '430199' }, '请重新选择省市区'],
    ['a province that nothing is sent to', { province: '710000', city: '710100' }, '请重新选择省市区'],
    ['no id', { newId: undefined }, '没有保存，请刷新页面后再试'],
  ])('%s is refused, and nothing is kept', async (_, changed, msg) => {
    const { token } = await server.student()
    const envelope = await server.ask(saveAddress, { newId: randomUUID(), ...HOME, ...changed }, token)
    expect(envelope).toEqual({ status: 0, msg, data: null })
    expect(await list(token)).toEqual([])
  })

  test('what was typed or pasted in lines is kept as one', async () => {
    const { token } = await server.student()
    const [saved] = await add(token, { detail: ' 德雅路109号\r\n3栋\t501 \u0007' })
    expect(saved?.detail).toBe('德雅路109号 3栋 501')
  })

  test('twenty at most, also when the last ones come at once; changing one is still possible', async () => {
    const { token } = await withAddresses(...Array.from({ length: MAX_ADDRESSES - 1 }, (_, i) => `${i}号`))
    const last = await Promise.all(
      Array.from({ length: 4 }, () => server.ask(saveAddress, { newId: randomUUID(), ...HOME }, token)),
    )
    const refused = last.filter(({ status }) => status === 0).map(({ msg }) => msg)
    expect(refused).toEqual(Array.from({ length: 3 }, () => '最多保存20个地址，请先删除不用的'))
    const all = await list(token)
    expect(all).toHaveLength(MAX_ADDRESSES)
    await server.call(saveAddress, { id: idOf(all, '3号'), ...HOME, detail: '三号' }, token)
  })
})

describe('the default', () => {
  test('there is one: the first, until another takes its place; it stands first, then the newest', async () => {
    const { token } = await withAddresses('1号', '2号', '3号')
    const all = await list(token)
    expect(shown(all)).toEqual(['1号*', '3号', '2号'])
    await server.call(saveAddress, { id: idOf(all, '2号'), ...HOME, detail: '2号', isDefault: true }, token)
    expect(shown(await list(token))).toEqual(['2号*', '3号', '1号'])
  })

  test('of many that become it at once one is', async () => {
    const { token } = await withAddresses('1号', '2号', '3号')
    const all = await list(token)
    await Promise.all([
      ...all.map(({ id, detail }) => server.call(saveAddress, { id, ...HOME, detail, isDefault: true }, token)),
      add(token, { detail: '4号', isDefault: true }),
    ])
    expect((await list(token)).filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })

  test('deleted, the newest of the others becomes it', async () => {
    const { token } = await withAddresses('1号', '2号', '3号')
    const left = await server.call(delAddress, { id: idOf(await list(token), '1号') }, token)
    expect(shown(left)).toEqual(['3号*', '2号'])
    expect(shown(await server.call(delAddress, { id: idOf(left, '2号') }, token))).toEqual(['3号*'])
    expect(await server.call(delAddress, { id: idOf(left, '3号') }, token)).toEqual([])
  })
})

describe('a stranger', () => {
  test('sees, changes and deletes nothing of another student’s, and is told as of an address that never was', async () => {
    const mine = await withAddresses('1号')
    const other = await withAddresses('他的')
    const id = idOf(await list(mine.token), '1号')
    for (const asked of [id, randomUUID()]) {
      expect(await server.ask(saveAddress, { id: asked, ...HOME, detail: '改' }, other.token)).toEqual(NONE)
      expect(await server.ask(delAddress, { id: asked }, other.token)).toEqual(NONE)
      expect(await readAddress(server.db, other.uid, asked)).toBeNull()
    }
    expect(shown(await list(other.token))).toEqual(['他的*'])
    expect(shown(await list(mine.token))).toEqual(['1号*'])
  })

  test('with the same id adds an address of their own', async () => {
    const mine = await withAddresses('1号')
    const other = await server.student()
    const id = idOf(await list(mine.token), '1号')
    await add(other.token, { detail: '他的' }, id)
    expect(shown(await list(other.token))).toEqual(['他的*'])
    expect(shown(await list(mine.token))).toEqual(['1号*'])
  })

  test('without a login is asked to log in', async () => {
    for (const [endpoint, input] of [
      [myAddress, {}],
      [saveAddress, { newId: randomUUID(), ...HOME }],
      [delAddress, { id: randomUUID() }],
    ] as const)
      expect(await server.ask(endpoint, input)).toMatchObject({ status: 2 })
  })
})

test('places keep the names that they had when the address was saved', async () => {
  const { uid, token } = await withAddresses('1号')
  await server.db
    .updateTable('address')
    .set({
      place: JSON.stringify({
        province: { code: '430000', name: '旧省' },
        city: { code: '430100', name: '旧市' },
        district: null,
      }),
    })
    .where('uid', '=', uid)
    .execute()
  expect((await list(token))[0]).toMatchObject({ province: { name: '旧省' }, city: { name: '旧市' }, district: null })
})

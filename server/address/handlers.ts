import { areaList } from '@vant/area-data'
import { type Address, MAX_ADDRESSES, type address } from '#src/contract/address.ts'
import { readRegions, regionAt, regionText } from '#src/domain/address/regions.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { deleteAddress, holdAddresses, readAddresses, writeAddress } from './store.ts'

const REGIONS = readRegions(regionText(areaList))
/** Said of another student's as of one that never was. */
const NONE = '地址不存在或已删除，请刷新页面后重新选择'

/** The calls of group `user` about addresses; the rest of the group is the domain user's. */
export const addressHandlers = (db: Db): Handlers<typeof address> => {
  /** Does it alone among this student's, and answers with what there is then. */
  const change = (uid: string, act: (tx: Tx) => Promise<void>): Promise<Address[]> =>
    db.transaction().execute(async (tx) => {
      await holdAddresses(tx, uid)
      await act(tx)
      return readAddresses(tx, uid)
    })
  return {
    myAddress: (_, { uid }) => readAddresses(db, uid),
    saveAddress({ id, newId, province, city, district, ...typed }, { uid, now, say }) {
      const region = regionAt(REGIONS, { province, city, district })
      if (!region) throw new Refusal('请重新选择省市区')
      say('保存成功')
      return change(uid, async (tx) => {
        const all = await readAddresses(tx, uid)
        const own = id ?? newId
        if (own === undefined) throw new Refusal('没有保存，请刷新页面后再试')
        // An add that is heard twice finds what it has added: it is written again, as it is typed by now.
        const known = all.find((each) => each.id === own)
        if (!known && id !== undefined) throw new Refusal(NONE)
        if (!known && all.length >= MAX_ADDRESSES) throw new Refusal(`最多保存${MAX_ADDRESSES}个地址，请先删除不用的`)
        const isDefault = typed.isDefault || known?.isDefault === true || all.length === 0
        await writeAddress(tx, uid, { id: own, ...typed, ...region, isDefault }, now)
      })
    },
    delAddress: ({ id }, { uid, say }) => {
      say('已删除')
      return change(uid, async (tx) => {
        if (!(await deleteAddress(tx, uid, id))) throw new Refusal(NONE)
      })
    },
  }
}

import { IconCircleCheck } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type ReactNode, useId, useState } from 'react'
import { call } from '#src/api/client.ts'
import { type Address, address, MAX_ADDRESSES } from '#src/contract/address.ts'
import { regionName } from '#src/domain/address/regions.ts'
import { type Seen, SeenNote, useSeen } from '#src/sale/seen.tsx'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Empty } from '#src/ui/Empty.tsx'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { Listed } from '#src/ui/list/Listed.tsx'
import classes from './Address.module.css'
import { AddressDialog } from './AddressDialog.tsx'
import { UnsavedAddresses } from './UnsavedAddresses.tsx'
import { addressQuery, showAddresses } from './queries.ts'

interface AddressBookProps {
  /** Where one of them is asked for: the chosen one's id. */
  chosen?: string | null
  onPick?: (picked: Address) => void
}

/** A student's addresses, to be added, changed, deleted, and, where one is asked for, chosen from. */
export function AddressBook({ chosen = null, onPick }: AddressBookProps) {
  const all = useQuery(addressQuery())
  const seen = useSeen(all)
  const rows = seen.data ?? []
  const [open, setOpen] = useState<{ id: string | null } | null>(null)
  const full = rows.length >= MAX_ADDRESSES
  const edited = rows.find(({ id }) => id === open?.id) ?? null
  return (
    <div className={common.stack}>
      {!open && <UnsavedAddresses addresses={seen.data} onOpen={(id) => setOpen({ id })} />}
      <SeenNote seen={seen} acts="保存和删除" />
      <Listed
        name="addresses"
        label="收货地址"
        away="收货地址需要联网查看，没有保存的内容留在这台设备上"
        from={{ ...all, data: seen.data }}
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          <Empty of="place" title="还没有收货地址">
            <p>买图书时要用，最近的地址没有网络也能看。</p>
          </Empty>
        }
      >
        {(each) => (
          <Row
            of={each}
            hold={seen.hold}
            chosen={each.id === chosen}
            onPick={onPick}
            onEdit={() => setOpen({ id: each.id })}
          />
        )}
      </Listed>
      <div className={clsx(common.wrap, classes.add)} data-alone={rows.length === 0 || undefined}>
        <Button disabled={full} onClick={() => setOpen({ id: null })}>
          新增收货地址
        </Button>
        {full && <p className={common.quiet}>最多保存 {MAX_ADDRESSES} 个地址，删除不用的以后可以再新增。</p>}
      </div>
      {open && (open.id === null || edited) && (
        <AddressDialog
          saved={edited}
          first={rows.length === 0}
          onSaved={(saved) => {
            setOpen(null)
            onPick?.(saved)
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  )
}

interface RowProps {
  of: Address
  hold: Seen<unknown>['hold']
  chosen: boolean
  onPick: ((picked: Address) => void) | undefined
  onEdit: () => void
}

function Row({ of, hold, chosen, onPick, onEdit }: RowProps) {
  const name = useId()
  const { remove, makeDefault, busy } = useActs(of)
  const words = (
    <>
      <span className={clsx(common.wrap, common.figures, classes.who)}>
        <strong>{of.name}</strong> {of.mobile}
        {of.isDefault && <b className={clsx(common.strong, common.accent, classes.badge)}>默认</b>}
      </span>
      <span className={common.quiet}>
        {regionName(of)} {of.detail}
      </span>
    </>
  )
  return (
    <article className={clsx(common.card, common.column, classes.row)} aria-labelledby={name}>
      <Words id={name} chosen={chosen} onPick={onPick && (() => onPick(of))}>
        {words}
      </Words>
      <div className={clsx(common.wrap, classes.acts)}>
        {!of.isDefault && (
          <Button small look="quiet" {...hold} disabled={busy || hold.disabled} onClick={makeDefault}>
            设为默认
          </Button>
        )}
        <Button small look="quiet" disabled={busy} onClick={onEdit}>
          编辑
        </Button>
        <Button small look="quiet" tone="danger" {...hold} disabled={busy || hold.disabled} onClick={remove}>
          删除
        </Button>
      </div>
    </article>
  )
}

interface WordsProps {
  id: string
  chosen: boolean
  onPick: (() => void) | undefined
  children: ReactNode
}
const Words = ({ id, chosen, onPick, children }: WordsProps) =>
  onPick ? (
    // No radio: an arrow key would take the neighbour, and the sheet closes with what is taken.
    <button type="button" id={id} className={clsx(common.grow, classes.pick)} aria-pressed={chosen} onClick={onPick}>
      <IconCircleCheck className={clsx(common.fixed, classes.tick)} size={22} aria-hidden="true" />
      <span className={clsx(common.column, common.grow)}>{children}</span>
    </button>
  ) : (
    <p id={id} className={clsx(common.column, common.grow)}>
      {children}
    </p>
  )

/** What can be done with a saved one; all of it needs the network. */
function useActs({ id, name, mobile, province, city, district, detail }: Address) {
  const client = useQueryClient()
  const show = (all: Address[]) => showAddresses(client, all)
  const options = { loading: true, success: true }
  const deleting = useMutation({
    mutationFn: () => call(address.delAddress, { id }, options),
    onSuccess: show,
    // It may have been gone already: what there is now is shown.
    onError: () => void client.invalidateQueries(addressQuery()),
  })
  const preferring = useMutation({
    mutationFn: () => {
      const codes = { province: province.code, city: city.code, ...(district && { district: district.code }) }
      return call(address.saveAddress, { id, name, mobile, ...codes, detail, isDefault: true }, options)
    },
    onSuccess: show,
    onError: () => void client.invalidateQueries(addressQuery()),
  })
  const remove = async () => {
    const answer = await feedback.ask({
      title: '删除这个收货地址？',
      message: `${name}，${detail}。已经下的订单不受影响。`,
      actions: [
        { key: 'stay', label: '不删除' },
        { key: 'delete', label: '删除', tone: 'danger' },
      ],
    })
    if (answer === 'delete') deleting.mutate()
  }
  return {
    remove: () => void remove(),
    makeDefault: () => preferring.mutate(),
    busy: deleting.isPending || preferring.isPending,
  }
}

import type { TypedAddress } from '#src/offline/drafts/forms.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import type { FormEvent } from 'react'
import * as v from 'valibot'
import { call } from '#src/api/client.ts'
import { failureWords, OfflineError, refusalWords, TOLD_HERE } from '#src/api/errors.ts'
import { type Address, address, AddressForm } from '#src/contract/address.ts'
import { faultOf } from '#src/domain/app/failureWords.ts'
import { regionAt } from '#src/domain/address/regions.ts'
import { Button } from '#src/ui/Button.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { type Faults, useFaults } from '#src/ui/faults.ts'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { useWarning } from '#src/ui/feedback/useWarning.ts'
import classes from './Address.module.css'
import { useDraft } from './addressDrafts.ts'
import { Field } from './Field.tsx'
import { Paste } from './Paste.tsx'
import { showAddresses } from './queries.ts'
import { RegionField } from './RegionField.tsx'
import { type Provinces, useRegions } from './useRegions.ts'

interface AddressDialogProps {
  /** Null: a new one. */
  saved: Address | null
  /** The first one is the default, whoever says what. */
  first: boolean
  onSaved: (saved: Address) => void
  onClose: () => void
}

/** 新增 or 编辑收货地址. Saving needs the network; what is typed stays on the device until then. */
export function AddressDialog({ saved, first, onSaved, onClose }: AddressDialogProps) {
  const draft = useDraft(saved)
  return (
    <Dialog title={saved ? '编辑收货地址' : '新增收货地址'} full width={560} onClose={onClose}>
      {draft.typed ? (
        <Form
          {...draft}
          typed={draft.typed}
          saved={saved}
          isDefault={first || saved?.isDefault === true}
          onSaved={onSaved}
        />
      ) : (
        <Skeleton />
      )}
    </Dialog>
  )
}

interface FormProps extends Omit<ReturnType<typeof useDraft>, 'typed'> {
  typed: TypedAddress
  saved: Address | null
  /** It is, and stays so until another one becomes it. */
  isDefault: boolean
  onSaved: (saved: Address) => void
}

function Form({ typed, restored, change, keep, forget, clear, saved, isDefault, onSaved }: FormProps) {
  const client = useQueryClient()
  const regions = useRegions()
  const { faults, setFaults, mend, form } = useFaults()
  const saving = useMutation({
    meta: TOLD_HERE,
    mutationFn: async (input: AddressForm) => {
      await keep()
      const which = saved ? { id: saved.id } : { newId: typed.id }
      return call(address.saveAddress, { ...which, ...input }, { loading: true, success: true })
    },
    onSuccess: (all) => {
      forget()
      showAddresses(client, all)
      const own = all.find(({ id }) => id === typed.id)
      if (own) onSaved(own)
    },
  })
  useWarning(refusalWords(saving.error))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { input, faults: found } = check(typed, regions.provinces)
    setFaults(found)
    if (input) saving.mutate(input)
  }
  const set = (patch: Partial<TypedAddress>) => {
    change(patch)
    saving.reset()
    mend(Object.keys(patch).map((name) => (name === 'province' ? 'region' : name)))
  }
  return (
    <form ref={form} className={clsx(common.stack, classes.form)} onSubmit={submit} noValidate>
      {restored && (
        <p className={clsx(common.wrap, common.between, classes.kept)} role="status">
          已恢复上次没有保存的内容
          <Button small look="quiet" onClick={clear}>
            清空
          </Button>
        </p>
      )}
      <Paste provinces={regions.provinces} onRead={set} />
      <Field
        label="收件人"
        value={typed.name}
        fault={faults.name}
        autoComplete="name"
        onChange={(name) => set({ name })}
      />
      <Field
        label="手机号"
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
        value={typed.mobile}
        fault={faults.mobile}
        onChange={(mobile) => set({ mobile: mobile.replace(/[\s-]/g, '') })}
      />
      <RegionField regions={regions} codes={typed} fault={faults.region} onPick={set} />
      <Field
        label="详细地址"
        long
        value={typed.detail}
        fault={faults.detail}
        autoComplete="street-address"
        placeholder="街道、小区或学校、楼栋、门牌号"
        onChange={(detail) => set({ detail })}
      />
      <Checkbox
        checked={isDefault || typed.isDefault}
        disabled={isDefault}
        onChange={(event) => set({ isDefault: event.currentTarget.checked })}
      >
        设为默认地址
      </Checkbox>
      {saving.error && (
        <p role="alert" className={clsx(common.small, common.wrong)}>
          {saving.error instanceof OfflineError
            ? '没有保存：保存地址需要网络。填写的内容已留在这台设备上，联网后再点保存。'
            : failureWords(saving.error)}
        </p>
      )}
      <Button type="submit" busy={saving.isPending}>
        保存
      </Button>
    </form>
  )
}

/** In the contract's own words; whether a place is one is known where the places are. */
function check(typed: TypedAddress, provinces: Provinces | null): { input: AddressForm | null; faults: Faults } {
  const { id: _, district, ...rest } = typed
  const checked = v.safeParse(AddressForm, { ...rest, ...(district && { district }) })
  const nested = checked.success ? undefined : v.flatten<typeof AddressForm>(checked.issues).nested
  const isPlace = provinces === null || regionAt(provinces, { ...typed, district: district || undefined }) !== null
  const region = isPlace ? faultOf(nested?.province ?? nested?.city ?? nested?.district) : '请选择省市区'
  const faults = {
    name: faultOf(nested?.name),
    mobile: faultOf(nested?.mobile),
    region,
    detail: faultOf(nested?.detail),
  }
  const input = checked.success && isPlace ? checked.output : null
  return { input, faults: input ? {} : faults }
}

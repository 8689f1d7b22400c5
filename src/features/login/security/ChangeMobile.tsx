import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type FormEvent, useState } from 'react'
import * as v from 'valibot'
import { call } from '#src/api/client.ts'
import { TOLD_HERE } from '#src/api/errors.ts'
import { CodeForm } from '#src/contract/login.ts'
import { takeUserinfo } from '#src/api/userinfo.ts'
import { user } from '#src/contract/user.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { useFaults } from '#src/ui/faults.ts'
import { faultsOf, useMendingFocus } from '../faults.ts'
import classes from '../LoginDialog.module.css'
import { useCodeField } from '../useCodeField.tsx'
import { Told } from '../Told.tsx'
import { useProof } from './useProof.tsx'

const NOTHING = { mobile: '', mobileCode: '' }
const New = { mobile: CodeForm.entries.mobile, mobileCode: CodeForm.entries.code }

/** 更换手机号: who asks is proven first, then that the new mobile is theirs. */
export function ChangeMobile({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [values, setValues] = useState(NOTHING)
  const { faults, setFaults, form } = useFaults()
  const set = (changed: Partial<typeof NOTHING>) => setValues({ ...values, ...changed })
  const proof = useProof(faults, () => setFaults({}))
  const code = useCodeField({
    mobile: values.mobile,
    label: '新手机号的验证码',
    value: values.mobileCode,
    fault: faults.mobileCode,
    onChange: (mobileCode) => set({ mobileCode }),
  })
  const saving = useMutation({
    meta: TOLD_HERE,
    mutationFn: () => call(user.changeMobile, { ...values, ...proof.given }, { loading: true, success: true }),
    onSuccess: (userinfo) => {
      takeUserinfo(client, userinfo)
      onClose()
    },
  })
  useMendingFocus(saving.error, form)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = faultsOf(v.object({ ...proof.entries, ...New }), { ...values, ...proof.given })
    setFaults(found ?? {})
    if (!found) saving.mutate()
  }
  return (
    <Dialog title="更换手机号" width={440} onClose={onClose}>
      <form ref={form} className={clsx(common.stack, classes.form)} onSubmit={submit} noValidate>
        {proof.fields}
        <TextInput
          label="新手机号"
          size="md"
          inputMode="numeric"
          autoComplete="off"
          value={values.mobile}
          error={faults.mobile}
          // As phones paste it: 138 1234 5678.
          onChange={(event) => set({ mobile: event.currentTarget.value.replaceAll(/[\s-]/g, '').slice(0, 11) })}
        />
        {code.field}
        <Told error={saving.error} />
        <Button type="submit" busy={saving.isPending}>
          更换手机号
        </Button>
        <p className={common.caption}>学习记录不变，以后用新手机号登录。更换后，其他设备需要重新登录。</p>
      </form>
      {proof.picture}
      {code.picture}
    </Dialog>
  )
}

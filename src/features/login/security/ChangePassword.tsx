import { PasswordInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type FormEvent, useEffect, useState } from 'react'
import * as v from 'valibot'
import { call } from '#src/api/client.ts'
import { TOLD_HERE } from '#src/api/errors.ts'
import { takeUserinfo } from '#src/api/userinfo.ts'
import { NewPassword, user } from '#src/contract/user.ts'
import { easyToGuess, readCommon } from '#src/domain/app/passwords.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { useFaults } from '#src/ui/faults.ts'
import { faultsOf, useMendingFocus } from '../faults.ts'
import classes from '../LoginDialog.module.css'
import { Told } from '../Told.tsx'
import { useProof } from './useProof.tsx'

/** 修改密码: a new one, by the old one or by a code. */
export function ChangePassword({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const { faults, setFaults, form } = useFaults()
  const proof = useProof(faults, () => setFaults({}))
  const known = useCommon()
  const saving = useMutation({
    meta: TOLD_HERE,
    mutationFn: () => call(user.save, { password, ...proof.given }, { loading: true, success: true }),
    onSuccess: (userinfo) => {
      takeUserinfo(client, userinfo)
      onClose()
    },
  })
  useMendingFocus(saving.error, form)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const Chosen = v.pipe(
      NewPassword,
      v.rawCheck(({ dataset, addIssue }) => {
        const easy = dataset.typed && easyToGuess(dataset.value, known)
        if (easy) addIssue({ message: easy })
      }),
    )
    const found = faultsOf(v.object({ ...proof.entries, password: Chosen }), { password, ...proof.given })
    setFaults(found ?? {})
    if (!found) saving.mutate()
  }
  return (
    <Dialog title="修改密码" width={440} onClose={onClose}>
      <form ref={form} className={clsx(common.stack, classes.form)} onSubmit={submit} noValidate>
        {proof.fields}
        <PasswordInput
          label="新密码"
          placeholder="至少 8 位"
          size="md"
          autoComplete="new-password"
          value={password}
          error={faults.password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Told error={saving.error} />
        <Button type="submit" busy={saving.isPending}>
          保存
        </Button>
        <p className={common.caption}>首次设置或忘记原密码，请用短信验证码验证。保存后，其他设备需要重新登录。</p>
      </form>
      {proof.picture}
    </Dialog>
  )
}

const NONE: ReadonlySet<string> = new Set()

/** The passwords that many people have; none until they are here, for the server looks as well. */
function useCommon(): ReadonlySet<string> {
  const [known, setKnown] = useState(NONE)
  useEffect(() => {
    import('virtual:passwords').then(
      ({ default: text }) => setKnown(readCommon(text)),
      () => {},
    )
  }, [])
  return known
}

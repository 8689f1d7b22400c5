import { PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import * as v from 'valibot'
import { call } from '#src/api/client.ts'
import { contract } from '#src/contract/index.ts'
import { NewPassword, Nickname } from '#src/contract/user.ts'
import { maskMobile } from '#src/domain/text.ts'
import { session } from '#src/session/session.ts'
import { useSession } from '#src/session/useSession.ts'
import { Button } from '#src/ui/Button.tsx'
import { Forms } from '#src/ui/Forms.tsx'
import classes from './AccountPage.module.css'
import { logout } from './actions.ts'

/** 我的资料: nickname, mobile, password, the way out. */
export function AccountPage() {
  const { userinfo } = useSession()
  const client = useQueryClient()
  return (
    <Forms>
      <div className={classes.page}>
        <h1>我的资料</h1>
        <section className={classes.card}>
          <dl>
            <div>
              <dt>手机号</dt>
              <dd>{userinfo ? maskMobile(userinfo.mobile) : '—'}</dd>
            </div>
          </dl>
          <Field
            label="昵称"
            schema={Nickname}
            initial={userinfo?.nickname ?? ''}
            key={userinfo?.nickname}
            save={(nickname) => ({ nickname })}
          />
        </section>
        <section className={classes.card}>
          <h2>登录密码</h2>
          <p>设置后可用“手机号 + 密码”登录，至少 8 位。</p>
          <Field label="新密码" schema={NewPassword} initial="" secret save={(password) => ({ password })} />
        </section>
        <Button look="light" tone="danger" onClick={() => void logout(client)}>
          退出登录
        </Button>
      </div>
    </Forms>
  )
}

interface FieldProps {
  label: string
  schema: v.GenericSchema<string, string>
  initial: string
  secret?: boolean
  save: (value: string) => { nickname: string } | { password: string }
}

function Field({ label, schema, initial, secret = false, save }: FieldProps) {
  const [value, setValue] = useState(initial)
  const [fault, setFault] = useState<string | null>(null)
  const saving = useMutation({
    mutationFn: (fields: ReturnType<FieldProps['save']>) =>
      call(contract.user.save, fields, { loading: true, success: true }),
    onSuccess: (userinfo) => {
      session.setUserinfo(userinfo)
      if (secret) setValue('')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const checked = v.safeParse(schema, value)
    setFault(checked.success ? null : checked.issues[0].message)
    if (checked.success) saving.mutate(save(checked.output))
  }
  const Input = secret ? PasswordInput : TextInput
  return (
    <form className={classes.field} onSubmit={submit} noValidate>
      <Input
        label={label}
        size="md"
        value={value}
        error={fault}
        autoComplete={secret ? 'new-password' : 'nickname'}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <Button type="submit" look="light" busy={saving.isPending}>
        保存
      </Button>
    </form>
  )
}

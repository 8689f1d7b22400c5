import { PasswordInput, Tabs } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import * as v from 'valibot'
import { call } from '#src/api/client.ts'
import { CodeForm } from '#src/contract/login.ts'
import { NewPassword, user } from '#src/contract/user.ts'
import { maskMobile } from '#src/domain/text.ts'
import { session } from '#src/session/session.ts'
import { useSession } from '#src/session/useSession.ts'
import { Button } from '#src/ui/Button.tsx'
import { faultsOf, useFaults } from './faults.ts'
import classes from './LoginDialog.module.css'
import { useCodeField } from './useCodeField.tsx'

const NOTHING = { oldPassword: '', code: '', password: '' }
const FORMS = {
  password: v.object({
    oldPassword: v.pipe(v.string(), v.nonEmpty('请输入原密码')),
    password: NewPassword,
  }),
  code: v.object({ code: CodeForm.entries.code, password: NewPassword }),
}
type Proof = keyof typeof FORMS

/** 登录密码: a new one, by the old one or by a code. Whoever never set a password or forgot it takes the code. */
export function ChangePassword() {
  const mobile = useSession().userinfo?.mobile ?? ''
  const [proof, setProof] = useState<Proof>('password')
  const [values, setValues] = useState(NOTHING)
  const { faults, setFaults, form } = useFaults()
  const set = (changed: Partial<typeof NOTHING>) => setValues({ ...values, ...changed })
  const code = useCodeField({ mobile, value: values.code, fault: faults.code, onChange: (code) => set({ code }) })
  const saving = useMutation({
    mutationFn: () => {
      const { oldPassword, code, password } = values
      const given = proof === 'password' ? { oldPassword } : { code }
      return call(user.save, { password, ...given }, { loading: true, success: true })
    },
    onSuccess: (userinfo) => {
      session.setUserinfo(userinfo)
      setValues(NOTHING)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = faultsOf(FORMS[proof], values)
    setFaults(found ?? {})
    if (!found) saving.mutate()
  }
  return (
    <>
      <form ref={form} className={classes.form} onSubmit={submit} noValidate>
        <Tabs
          value={proof}
          onChange={(chosen) => {
            setProof(chosen === 'code' ? 'code' : 'password')
            setFaults({})
          }}
          classNames={{ list: classes.tabs }}
        >
          <Tabs.List grow>
            <Tabs.Tab value="password">用原密码验证</Tabs.Tab>
            <Tabs.Tab value="code">用短信验证码验证</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="password">
            <PasswordField
              label="原密码"
              autoComplete="current-password"
              value={values.oldPassword}
              error={faults.oldPassword}
              onChange={(oldPassword) => set({ oldPassword })}
            />
          </Tabs.Panel>
          <Tabs.Panel value="code">
            {code.field}
            {mobile && <p className={classes.note}>验证码将发送到 {maskMobile(mobile)}</p>}
          </Tabs.Panel>
        </Tabs>
        <PasswordField
          label="新密码"
          autoComplete="new-password"
          value={values.password}
          error={faults.password}
          onChange={(password) => set({ password })}
        />
        <Button type="submit" look="light" busy={saving.isPending}>
          保存
        </Button>
        <p className={classes.note}>首次设置或忘记原密码，请用短信验证码验证。保存后，其他设备需要重新登录。</p>
      </form>
      {code.picture}
    </>
  )
}

interface PasswordFieldProps {
  label: string
  autoComplete: 'current-password' | 'new-password'
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function PasswordField({ onChange, ...rest }: PasswordFieldProps) {
  return <PasswordInput {...rest} size="md" onChange={(event) => onChange(event.currentTarget.value)} />
}

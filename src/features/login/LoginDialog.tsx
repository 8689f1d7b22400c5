import { PasswordInput, Tabs, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '#src/api/client.ts'
import { contract } from '#src/contract/index.ts'
import { CodeForm, PasswordForm } from '#src/contract/login.ts'
import { session } from '#src/session/session.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Forms } from '#src/ui/Forms.tsx'
import { Button } from '#src/ui/Button.tsx'
import { type Faults, faultsOf } from './faults.ts'
import classes from './LoginDialog.module.css'
import { useCodeField } from './useCodeField.tsx'

interface LoginDialogProps {
  onClose: () => void
}
function useLogin(send: () => Promise<{ token: string; uid: string }>) {
  return useMutation({
    mutationFn: send,
    onSuccess: ({ token, uid }) => {
      session.login(token, uid)
      // The page's owner is fixed for its life: a new student is a new page.
      window.location.reload()
    },
  })
}

/** 登录: by password or by a code sent to the mobile. */
export function LoginDialog({ onClose }: LoginDialogProps) {
  return (
    <Forms>
      <Dialog title="登录" width={400} onClose={onClose}>
        <Tabs defaultValue="password" classNames={{ list: classes.tabs }}>
          <Tabs.List grow>
            <Tabs.Tab value="password">密码登录</Tabs.Tab>
            <Tabs.Tab value="code">验证码登录</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="password">
            <PasswordLogin />
          </Tabs.Panel>
          <Tabs.Panel value="code">
            <CodeLogin />
          </Tabs.Panel>
        </Tabs>
      </Dialog>
    </Forms>
  )
}

function PasswordLogin() {
  const [values, setValues] = useState({ mobile: '', password: '' })
  const [faults, setFaults] = useState<Faults>({})
  const login = useLogin(() => call(contract.login.loginByPassword, values, { loading: true }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = faultsOf(PasswordForm, values)
    setFaults(found ?? {})
    if (!found) login.mutate()
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label="账号"
        placeholder="手机号"
        size="md"
        inputMode="numeric"
        autoComplete="username"
        data-autofocus
        value={values.mobile}
        error={faults.mobile}
        onChange={(event) => setValues({ ...values, mobile: event.currentTarget.value })}
      />
      <PasswordInput
        label="密码"
        size="md"
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': '显示或隐藏密码' }}
        value={values.password}
        error={faults.password}
        onChange={(event) => setValues({ ...values, password: event.currentTarget.value })}
      />
      <Button type="submit" busy={login.isPending}>
        登录
      </Button>
    </form>
  )
}

function CodeLogin() {
  const [values, setValues] = useState({ mobile: '', code: '' })
  const [faults, setFaults] = useState<Faults>({})
  const code = useCodeField({
    mobile: values.mobile,
    value: values.code,
    fault: faults.code,
    onChange: (code) => setValues({ ...values, code }),
  })
  const login = useLogin(() => call(contract.login.mobileCodeLogin, values, { loading: true }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = faultsOf(CodeForm, values)
    setFaults(found ?? {})
    if (!found) login.mutate()
  }
  return (
    <>
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          label="手机号"
          size="md"
          inputMode="numeric"
          autoComplete="tel-national"
          value={values.mobile}
          error={faults.mobile}
          // As phones paste it: 138 1234 5678.
          onChange={(event) =>
            setValues({ ...values, mobile: event.currentTarget.value.replaceAll(/[\s-]/g, '').slice(0, 11) })
          }
        />
        {code.field}
        <Button type="submit" busy={login.isPending}>
          登录
        </Button>
        <p className={classes.note}>未注册的手机号验证后将自动创建账号。</p>
      </form>
      {code.picture}
    </>
  )
}

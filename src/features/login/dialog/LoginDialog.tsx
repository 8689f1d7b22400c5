import { PasswordInput, Tabs, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type FormEvent, Suspense, useRef, useState } from 'react'
import * as v from 'valibot'
import { call } from '#src/api/client.ts'
import { versionsShown } from '#src/api/consents.ts'
import { TOLD_HERE } from '#src/api/errors.ts'
import type { Agreed } from '#src/contract/consent.ts'
import { CodeForm, PasswordForm, login } from '#src/contract/login.ts'
import { loginRequest } from '#src/session/loginRequest.ts'
import { session } from '#src/session/session.ts'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { Forms } from '#src/ui/forms/Forms.tsx'
import { Button } from '#src/ui/Button.tsx'
import { useFaults } from '#src/ui/faults.ts'
import { reload } from '#src/ui/dialog/newPage.ts'
import { optional } from '#src/ui/optional.ts'
import { onPage, pageState } from '#src/ui/dialog/sheetHistory.ts'
import { faultsOf, useMendingFocus } from '../faults.ts'
import classes from '../LoginDialog.module.css'
import { Told } from '../Told.tsx'
import { useCodeField } from '../useCodeField.tsx'
import { AgreeBox } from './AgreeBox.tsx'
import { screenAt } from './wanted.ts'

const DeviceSettings = optional(() => import('#src/player/tools/DeviceSettings.tsx').then((m) => m.DeviceSettings))

interface LoginDialogProps {
  onClose: () => void
}

const AGREED = v.object({ agreed: v.literal(true, '请先勾选同意') })

/** A form that is sent only when the contract takes it; a login makes a new page, because a page's owner is fixed for its life. */
function useLogin<Values extends object>(
  schema: v.GenericSchema,
  initial: Values,
  isAgreed: boolean,
  send: (values: Values & { agreed: Agreed }) => Promise<{ token: string; uid: string }>,
) {
  const client = useQueryClient()
  const [values, setValues] = useState(initial)
  const { faults, setFaults, form } = useFaults()
  const login = useMutation({
    meta: TOLD_HERE,
    mutationFn: async () => send({ ...values, agreed: await versionsShown(client) }),
    onSuccess: async ({ token, uid }) => {
      const wanted = screenAt(loginRequest.wanted(), window.location.origin)
      // The entry of this dialog goes, and what was wanted takes the place of the page that stood behind it.
      await onPage()
      // Behind the router's back, which would open it for a visitor. Another origin's address the browser itself refuses.
      if (wanted) History.prototype.replaceState.call(window.history, pageState(), '', wanted)
      session.login(token, uid)
      reload()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = faultsOf(v.intersect([schema, AGREED]), { ...values, agreed: isAgreed })
    setFaults(found ?? {})
    if (!found) login.mutate()
  }
  const change = (patch: Partial<Values>) => {
    setValues({ ...values, ...patch })
    // It was said of what stood here before.
    if (login.isError) login.reset()
  }
  useMendingFocus(login.error, form)
  const told = <Told error={login.error} />
  return { values, faults, change, told, busy: login.isPending, form: { ref: form, onSubmit: submit } }
}

/** 登录: by a code sent to the mobile, which makes an account, too, or by password. */
export function LoginDialog({ onClose }: LoginDialogProps) {
  const [by, setBy] = useState('code')
  const [mobile, setMobile] = useState('')
  const [agreed, setAgreed] = useState(false)
  const [forgot, setForgot] = useState(false)
  const codeTab = useRef<HTMLButtonElement>(null)
  const forget = () => {
    setForgot(true)
    setBy('code')
    // The button that was pressed goes out of sight.
    codeTab.current?.focus()
  }
  return (
    <Forms>
      <Dialog title="登录" width={400} onClose={onClose}>
        <Tabs
          value={by}
          onChange={(chosen) => setBy(chosen ?? by)}
          classNames={{ list: classes.tabs }}
          keepMounted={false}
        >
          <Tabs.List grow>
            <Tabs.Tab ref={codeTab} value="code">
              验证码登录
            </Tabs.Tab>
            <Tabs.Tab value="password">密码登录</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="code">
            <CodeLogin mobile={mobile} onMobile={setMobile} agreed={agreed} onAgree={setAgreed} forgot={forgot} />
          </Tabs.Panel>
          <Tabs.Panel value="password">
            <PasswordLogin mobile={mobile} onMobile={setMobile} agreed={agreed} onAgree={setAgreed} onForgot={forget} />
          </Tabs.Panel>
        </Tabs>
        <OwnDevice />
      </Dialog>
    </Forms>
  )
}

/** A way beside the one that most take. */
const ASIDE = clsx(common.small, common.accent, classes.aside)

/** In place of the button that opened it, which is gone. */
const focusOn = (element: HTMLElement | null): void => element?.focus()

/** 显示设置 for a visitor; everybody else finds them in 我的资料. */
function OwnDevice() {
  const [open, setOpen] = useState(false)
  if (!open)
    return (
      <button type="button" className={clsx(ASIDE, classes.device)} onClick={() => setOpen(true)}>
        不登录也能做题 · 显示设置
      </button>
    )
  return (
    <section ref={focusOn} tabIndex={-1} className={classes.settings} aria-label="显示设置">
      <Suspense>
        <DeviceSettings />
      </Suspense>
    </section>
  )
}

/** Both forms show what was typed or ticked in either. */
interface FormProps {
  mobile: string
  onMobile: (mobile: string) => void
  agreed: boolean
  onAgree: (agreed: boolean) => void
}

interface MobileFieldProps {
  value: string
  error: string | undefined
  autoComplete: string
  onChange: (mobile: string) => void
}

const MobileField = ({ onChange, ...field }: MobileFieldProps) => (
  <TextInput
    label="手机号"
    size="md"
    inputMode="numeric"
    data-autofocus
    {...field}
    // Phones paste it as 138 1234 5678.
    onChange={(event) => onChange(event.currentTarget.value.replaceAll(/[\s-]/g, '').slice(0, 11))}
  />
)

interface SubmitProps extends Pick<FormProps, 'agreed' | 'onAgree'> {
  fault: string | undefined
  busy: boolean
}
/** Whoever has not ticked yet reads in the button what is missing. */
function Submit({ agreed, fault, busy, onAgree }: SubmitProps) {
  const missing = agreed ? undefined : fault
  return (
    <>
      <AgreeBox agreed={agreed} fault={missing} onChange={onAgree} />
      <Button type="submit" busy={busy}>
        {missing ?? '登录'}
      </Button>
    </>
  )
}

function PasswordLogin({ mobile, onMobile, agreed, onAgree, onForgot }: FormProps & { onForgot: () => void }) {
  const { values, faults, change, told, busy, form } = useLogin(
    PasswordForm,
    { mobile, password: '' },
    agreed,
    (typed) => call(login.loginByPassword, typed, { loading: true }),
  )
  return (
    <form className={clsx(common.stack, classes.form)} {...form} noValidate>
      <MobileField
        autoComplete="username"
        value={values.mobile}
        error={faults.mobile}
        onChange={(typed) => {
          change({ mobile: typed })
          onMobile(typed)
        }}
      />
      <PasswordInput
        label="密码"
        size="md"
        autoComplete="current-password"
        data-mends
        value={values.password}
        error={faults.password}
        onChange={(event) => change({ password: event.currentTarget.value })}
      />
      {told}
      <Submit agreed={agreed} fault={faults.agreed} busy={busy} onAgree={onAgree} />
      <button type="button" className={clsx(ASIDE, classes.forgot)} onClick={onForgot}>
        忘记密码？
      </button>
    </form>
  )
}

/** @param forgot who comes from a password that is forgotten is told where to set another. */
function CodeLogin({ mobile, onMobile, agreed, onAgree, forgot }: FormProps & { forgot: boolean }) {
  const { values, faults, change, told, busy, form } = useLogin(CodeForm, { mobile, code: '' }, agreed, (typed) =>
    call(login.mobileCodeLogin, typed, { loading: true }),
  )
  const code = useCodeField({
    mobile: values.mobile,
    value: values.code,
    fault: faults.code,
    onChange: (letters) => change({ code: letters }),
  })
  return (
    <>
      <form className={clsx(common.stack, classes.form)} {...form} noValidate>
        <MobileField
          autoComplete="tel-national"
          value={values.mobile}
          error={faults.mobile}
          onChange={(typed) => {
            change({ mobile: typed })
            onMobile(typed)
          }}
        />
        {code.field}
        {told}
        <Submit agreed={agreed} fault={faults.agreed} busy={busy} onAgree={onAgree} />
        <p className={common.caption} role={forgot ? 'status' : undefined}>
          {forgot
            ? '用验证码登录后，可在“我的资料”的“登录密码”里，用短信验证码设置新密码。'
            : '未注册的手机号验证后自动注册'}
        </p>
      </form>
      {code.picture}
    </>
  )
}

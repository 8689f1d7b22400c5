import { PasswordInput, Tabs } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import * as v from 'valibot'
import { CodeForm } from '#src/contract/login.ts'
import type { OwnerProof } from '#src/contract/user.ts'
import { maskMobile } from '#src/domain/text/text.ts'
import { useSession } from '#src/session/useSession.ts'
import common from '#src/ui/common.module.css'
import type { Faults } from '#src/ui/faults.ts'
import classes from '../LoginDialog.module.css'
import { useCodeField } from '../useCodeField.tsx'

const NOTHING = { oldPassword: '', code: '' }
const ENTRIES = {
  password: { oldPassword: v.pipe(v.string(), v.nonEmpty('请输入原密码')) },
  code: { code: CodeForm.entries.code },
}

interface Proof {
  /** What the form's schema asks of it. */
  entries: (typeof ENTRIES)[keyof typeof ENTRIES]
  given: OwnerProof
  fields: ReactNode
  /** Belongs outside the form: it has a form of its own. */
  picture: ReactNode
}

/** Who asks: by the password, or by a code sent to the account's mobile. Whoever has no password, or forgot it, takes the code. */
export function useProof(faults: Faults, onSwitch: () => void): Proof {
  const mobile = useSession().userinfo?.mobile ?? ''
  const [by, setBy] = useState<keyof typeof ENTRIES>('password')
  const [values, setValues] = useState(NOTHING)
  const set = (changed: Partial<typeof NOTHING>) => setValues({ ...values, ...changed })
  const code = useCodeField({
    mobile,
    value: values.code,
    fault: faults.code,
    onChange: (typed) => set({ code: typed }),
  })
  const fields = (
    <Tabs
      value={by}
      onChange={(chosen) => {
        setBy(chosen === 'code' ? 'code' : 'password')
        onSwitch()
      }}
      classNames={{ list: classes.tabs }}
    >
      <Tabs.List grow>
        <Tabs.Tab value="password">用原密码</Tabs.Tab>
        <Tabs.Tab value="code">用短信验证码</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="password">
        <PasswordInput
          label="原密码"
          size="md"
          autoComplete="current-password"
          data-mends={by === 'password' || undefined}
          value={values.oldPassword}
          error={faults.oldPassword}
          onChange={(event) => set({ oldPassword: event.currentTarget.value })}
        />
      </Tabs.Panel>
      <Tabs.Panel value="code">
        {code.field}
        {mobile && <p className={common.caption}>验证码将发送到 {maskMobile(mobile)}</p>}
      </Tabs.Panel>
    </Tabs>
  )
  const given = by === 'password' ? { oldPassword: values.oldPassword } : { code: values.code }
  return { entries: ENTRIES[by], given, fields, picture: code.picture }
}

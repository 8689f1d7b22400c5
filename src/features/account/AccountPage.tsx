import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type FormEvent, type ReactNode, useState } from 'react'
import * as v from 'valibot'
import { call } from '#src/api/client.ts'
import { takeUserinfo } from '#src/api/userinfo.ts'
import { faultOf } from '#src/domain/app/failureWords.ts'
import { Nickname, user } from '#src/contract/user.ts'
import { useSession } from '#src/session/useSession.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Forms } from '#src/ui/forms/Forms.tsx'
import classes from './AccountPage.module.css'
import { DeviceParts } from './DeviceParts.tsx'
import { ExportSection } from './ExportSection.tsx'
import { logout } from './leave.ts'
import { VisitorSection } from './VisitorSection.tsx'

type Parts = Record<
  'portrait' | 'security' | 'consents' | 'plan' | 'display' | 'storage' | 'reports' | 'closing',
  ReactNode
>

/** 我的资料: portrait, nickname, parts of other features, the ways out. */
export function AccountPage({ portrait, security, consents, plan, display, storage, reports, closing }: Parts) {
  const { userinfo } = useSession()
  const client = useQueryClient()
  return (
    <Forms>
      <div className={clsx(common.stack, classes.parts, classes.page)}>
        <h1 className={clsx(common.title, classes.whole)}>我的资料</h1>
        <div className={clsx(common.stack, classes.parts)}>
          {portrait}
          <section className={common.panel} aria-label="基本资料">
            <NicknameForm initial={userinfo?.nickname ?? ''} key={userinfo?.nickname} />
          </section>
          {security}
          {consents}
          <VisitorSection />
          {plan}
          <section className={common.panel} aria-label="题目纠错">
            <h2 className={common.subheading}>题目纠错</h2>
            {reports}
          </section>
          <ExportSection />
        </div>
        <div className={clsx(common.stack, classes.parts)}>
          <DeviceParts display={display} storage={storage} />
        </div>
        <div className={clsx(common.stack, classes.whole, classes.ends)}>
          <Button look="light" tone="danger" onClick={() => void logout(client)}>
            退出登录
          </Button>
          {closing}
        </div>
      </div>
    </Forms>
  )
}

function NicknameForm({ initial }: { initial: string }) {
  const [value, setValue] = useState(initial)
  const [fault, setFault] = useState<string | null>(null)
  const client = useQueryClient()
  const saving = useMutation({
    mutationFn: (nickname: string) => call(user.save, { nickname }, { loading: true, success: true }),
    onSuccess: (userinfo) => takeUserinfo(client, userinfo),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const checked = v.safeParse(Nickname, value)
    setFault(checked.success ? null : (faultOf(checked.issues.map(({ message }) => message)) ?? null))
    if (checked.success) saving.mutate(checked.output)
  }
  return (
    <form className={classes.field} onSubmit={submit} noValidate>
      <TextInput
        label="昵称"
        size="md"
        value={value}
        error={fault}
        autoComplete="nickname"
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <Button type="submit" look="light" className={classes.save} busy={saving.isPending}>
        保存
      </Button>
    </form>
  )
}

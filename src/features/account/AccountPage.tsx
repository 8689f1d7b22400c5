import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import * as v from 'valibot'
import { call } from '#src/api/client.ts'
import { Nickname, user } from '#src/contract/user.ts'
import { maskMobile } from '#src/domain/text.ts'
import { useSession } from '#src/session/useSession.ts'
import { Button } from '#src/ui/Button.tsx'
import card from '#src/ui/Card.module.css'
import { Forms } from '#src/ui/Forms.tsx'
import classes from './AccountPage.module.css'
import { takeUserinfo } from './actions.ts'
import { logout } from './leave.ts'
import { VisitorSection } from './VisitorSection.tsx'

type Parts = Record<'portrait' | 'password' | 'plan' | 'storage' | 'reports', ReactNode>

/** 我的资料: nickname, mobile, parts of other features, the way out. */
export function AccountPage({ portrait, password, plan, storage, reports }: Parts) {
  const { userinfo } = useSession()
  const client = useQueryClient()
  return (
    <Forms>
      <div className={classes.page}>
        <h1>我的资料</h1>
        {portrait}
        <section className={card.card}>
          <dl>
            <div>
              <dt>手机号</dt>
              <dd>{userinfo ? maskMobile(userinfo.mobile) : '—'}</dd>
            </div>
          </dl>
          <NicknameForm initial={userinfo?.nickname ?? ''} key={userinfo?.nickname} />
        </section>
        <section className={card.card}>
          <h2>登录密码</h2>
          <p>设置后可用“手机号 + 密码”登录，至少 8 位。</p>
          {password}
        </section>
        <VisitorSection />
        {plan}
        {storage}
        {reports}
        <Button look="light" tone="danger" onClick={() => void logout(client)}>
          退出登录
        </Button>
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
    setFault(checked.success ? null : checked.issues[0].message)
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
      <Button type="submit" look="light" busy={saving.isPending}>
        保存
      </Button>
    </form>
  )
}

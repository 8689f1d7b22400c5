import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type ChangeEvent, Suspense, useId, useState } from 'react'
import { call } from '#src/api/client.ts'
import { takeUserinfo } from '#src/api/userinfo.ts'
import { user } from '#src/contract/user.ts'
import { useSession } from '#src/session/useSession.ts'
import { Button, buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { optional } from '#src/ui/optional.ts'
import unseen from '#src/ui/text/Unseen.module.css'
import classes from './Portrait.module.css'

/** Where it cannot be fetched: there is no network to send a picture over, either. */
const Editor = optional(
  () => import('./portraitEditor/PortraitEditor.tsx').then((m) => m.PortraitEditor),
  () => (
    <p className={common.note} role="alert">
      当前没有网络，更换头像需要联网后再试。
    </p>
  ),
)

/** 头像: seen, replaced, removed. */
export function Portrait() {
  const { userinfo } = useSession()
  const [picked, setPicked] = useState<{ file: File; n: number } | null>(null)
  const id = useId()
  const client = useQueryClient()
  const removing = useMutation({
    mutationFn: () => call(user.save, { portrait: '' }, { loading: true, success: true }),
    onSuccess: (userinfo) => takeUserinfo(client, userinfo),
  })
  const pick = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0]
    // The same picture may be picked again.
    currentTarget.value = ''
    if (file) setPicked({ file, n: (picked?.n ?? 0) + 1 })
  }
  return (
    <section className={common.panel} aria-label="头像">
      <h2 className={common.subheading}>头像</h2>
      <div className={clsx(common.wrap, classes.row)}>
        {userinfo?.portrait ? (
          <img className={classes.portrait} src={userinfo.portrait} width="72" height="72" alt="我的头像" />
        ) : (
          <i className={classes.portrait} aria-hidden="true">
            {userinfo?.nickname.slice(0, 1)}
          </i>
        )}
        <div className={clsx(common.wrap, classes.acts)}>
          <input id={id} className={clsx(unseen.unseen, classes.pick)} type="file" accept="image/*" onChange={pick} />
          <label htmlFor={id} {...buttonLook({ look: 'light' })}>
            {userinfo?.portrait ? '更换头像' : '上传头像'}
          </label>
          {userinfo?.portrait && !picked && (
            <Button look="quiet" tone="danger" busy={removing.isPending} onClick={() => removing.mutate()}>
              移除头像
            </Button>
          )}
        </div>
      </div>
      {picked && (
        <Suspense
          fallback={
            <p className={common.note} role="status">
              正在加载...
            </p>
          }
        >
          <Editor key={picked.n} file={picked.file} onClose={() => setPicked(null)} />
        </Suspense>
      )}
    </section>
  )
}

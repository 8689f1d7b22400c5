import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { call } from '#src/api/client.ts'
import { consentsQuery } from '#src/api/consents.ts'
import { setAnswer } from '#src/api/query.ts'
import { type Agreed, consent } from '#src/contract/consent.ts'
import { AGREEMENT_NAMES } from '#src/domain/app/agreements.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import classes from './Consent.module.css'

interface AskDialogProps {
  onClose: () => void
  /** The student is logged out; what they did stays on the device. */
  onDecline: (client: QueryClient) => Promise<void>
}

/** 协议有更新 asks once for what is new. Whoever closes it is asked when they open the app the next time. */
export function AskDialog({ onClose, onDecline }: AskDialogProps) {
  const client = useQueryClient()
  const { data } = useQuery({ ...consentsQuery(), enabled: false })
  const asks = data?.asks ?? []
  const agreed: Agreed = Object.fromEntries(asks.map(({ kind, version }) => [kind, version]))
  const answering = useMutation({
    mutationFn: (given: boolean) => call(consent.answer, { agreed, given }, { loading: true }),
    onSuccess: async (consents, given) => {
      onClose()
      if (given) setAnswer(client, consentsQuery(), consents)
      else await onDecline(client)
    },
  })
  const busy = answering.isPending
  return (
    <Dialog title="协议有更新" onClose={onClose}>
      <div className={common.stack}>
        <p>请阅读后选择是否同意：</p>
        <ul className={clsx(common.stack, classes.asks)}>
          {asks.map(({ kind, version, changes }) => (
            <li key={kind}>
              <a
                href={`/agreement/${kind}`}
                target="_blank"
                rel="noopener"
                className={clsx(common.inline, classes.text)}
              >
                《{AGREEMENT_NAMES[kind]}》第 {version} 版
              </a>
              {changes && <p className={common.note}>{changes}</p>}
            </li>
          ))}
        </ul>
        <p className={common.note}>
          不同意会退出登录，学习记录都留在这台设备上；不登录也能做题，以后登录并同意了可以接着用。想先带走记录，可以
          <Link to="/user/my_userinfo" hash="export" className={classes.text} onClick={onClose}>
            导出我的数据
          </Link>
          。
        </p>
        <Button data-autofocus busy={busy} onClick={() => answering.mutate(true)}>
          同意
        </Button>
        <Button look="quiet" busy={busy} onClick={() => answering.mutate(false)}>
          不同意，退出登录
        </Button>
      </div>
    </Dialog>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { failureWords } from '#src/api/errors.ts'
import { consentsQuery } from '#src/api/consents.ts'
import { useChoice } from '#src/api/useChoice.ts'
import { AGREEMENT_KINDS } from '#src/contract/agreement.ts'
import type { ConsentKind, Consents } from '#src/contract/consent.ts'
import { AGREEMENT_NAMES, CONSENT_NAMES } from '#src/domain/app/agreements.ts'
import { buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { fullDateText, timeText } from '#src/ui/dates.ts'
import { Setting } from '#src/ui/Setting.tsx'
import classes from './Consent.module.css'

interface ConsentSectionProps {
  /** Turns messages on, on this device: its browser has to say to where they go. */
  onPush: () => Promise<void>
}

/** 协议与授权 shows what the student has agreed to and when; each choice is taken back as easily as it is made. */
export function ConsentSection({ onPush }: ConsentSectionProps) {
  const { data, error } = useQuery(consentsQuery())
  return (
    <section className={common.panel} aria-labelledby="consents">
      <h2 id="consents" className={common.subheading}>
        协议与授权
      </h2>
      <ul>
        {AGREEMENT_KINDS.map((kind) => (
          <li key={kind} className={clsx(common.row, classes.row)}>
            <span className={clsx(common.column, common.grow)}>
              {AGREEMENT_NAMES[kind]}
              {data && <small className={common.caption}>{agreedText(data.log, kind)}</small>}
            </span>
            <Link
              to={`/agreement/${kind}`}
              {...buttonLook({ look: 'light', small: true })}
              aria-label={`查看${AGREEMENT_NAMES[kind]}`}
            >
              查看
            </Link>
          </li>
        ))}
      </ul>
      {error && <p className={common.note}>{failureWords(error)}</p>}
      {data && <Choices onPush={onPush} />}
      {data && data.log.length > 0 && <Log log={data.log} />}
    </section>
  )
}

function agreedText(log: Consents['log'], kind: ConsentKind): string {
  const last = log.find((each) => each.kind === kind)
  return last?.given ? `${fullDateText(last.at)}同意第 ${last.version} 版` : '还没有同意'
}

function Choices({ onPush }: ConsentSectionProps) {
  const client = useQueryClient()
  const push = useChoice('push')
  const rankName = useChoice('rankName')
  const setPush = (given: boolean) => {
    if (given) void onPush().then(() => client.invalidateQueries(consentsQuery()))
    else push.set(false)
  }
  return (
    <>
      <Setting
        label={CONSENT_NAMES.push}
        hint="经浏览器厂商的推送服务发送，服务器可能在境外；打开只对这台设备，关闭对所有设备"
        checked={push.on ?? false}
        onChange={setPush}
      />
      <Setting
        label={CONSENT_NAMES.rankName}
        hint="昵称会隐藏一部分；不打开时显示为“匿名考生”"
        checked={rankName.on ?? false}
        onChange={rankName.set}
      />
    </>
  )
}

const deeds = { true: '同意', false: '撤回' } as const

function Log({ log }: Pick<Consents, 'log'>) {
  return (
    <details>
      <summary className={classes.summary}>同意记录（{log.length}）</summary>
      <ol className={clsx(common.stack, classes.log)}>
        {log.map(({ kind, version, given, at, device }, i) => (
          // Two may be of the same moment; the list is only added to at its start, and read anew as a whole.
          <li key={log.length - i} className={common.note}>
            {timeText(at)} {deeds[`${given}`]}
            {CONSENT_NAMES[kind]}
            {version !== null && `第 ${version} 版`}
            {device && ` · ${device}`}
          </li>
        ))}
      </ol>
    </details>
  )
}

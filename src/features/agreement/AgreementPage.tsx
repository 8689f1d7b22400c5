import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { agreementQuery } from '#src/api/consents.ts'
import type { Agreement, AgreementKind } from '#src/contract/agreement.ts'
import { AGREEMENT_NAMES } from '#src/domain/app/agreements.ts'
import common from '#src/ui/common.module.css'
import { fullDateText } from '#src/ui/dates.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import article from '#src/ui/text/Article.module.css'
import { RichText } from '#src/ui/text/RichText.tsx'
import unseen from '#src/ui/text/Unseen.module.css'
import classes from './Agreement.module.css'

interface AgreementPageProps {
  kind: AgreementKind
  /** An earlier version; undefined: the one in force. */
  version: number | undefined
}

/** 用户协议 or 隐私政策, with what each version changed; all versions stay readable. */
export function AgreementPage({ kind, version }: AgreementPageProps) {
  const { data, error, isPending, refetch } = useQuery(agreementQuery(kind, version))
  if (isPending) return <Skeleton />
  if (!data) {
    const away = `${AGREEMENT_NAMES[kind]}第一次打开要联网；打开过一次，没有网络也能看`
    return <ErrorCard error={error} onRetry={() => void refetch()} away={away} />
  }
  const newest = data.versions[0]?.version
  return (
    <article className={article.article}>
      <h1 className={article.name}>{data.title}</h1>
      <p className={clsx(common.note, article.since)}>
        第 {data.version} 版 · {sinceText(data)}
      </p>
      {data.version !== newest && (
        <p className={clsx(common.card, classes.old)} role="note">
          你在看旧的版本。
          <Link to={`/agreement/${kind}`} className={common.inline}>
            查看现行版本
          </Link>
        </p>
      )}
      {data.changes && <p className={clsx(common.card, classes.changes)}>这一版的变化：{data.changes}</p>}
      <h2 className={unseen.unseen}>正文</h2>
      <div className={article.html}>
        <RichText html={data.html} />
      </div>
      {data.versions.length > 1 && <Versions kind={kind} versions={data.versions} shown={data.version} />}
    </article>
  )
}

/** Says from when to when it was in force. */
function sinceText({ version, at, versions }: Agreement): string {
  const next = versions.find((each) => each.version === version + 1)
  return next ? `${fullDateText(at)}至${fullDateText(next.at)}有效` : `${fullDateText(at)}起生效`
}

interface VersionsProps {
  kind: AgreementKind
  versions: Agreement['versions']
  shown: number
}
function Versions({ kind, versions, shown }: VersionsProps) {
  return (
    <details className={classes.versions}>
      <summary className={classes.summary}>历史版本（{versions.length}）</summary>
      <ol className={clsx(common.stack, classes.list)}>
        {versions.map(({ version, at, changes }) => (
          <li key={version}>
            <Link
              to={`/agreement/${kind}`}
              search={{ version }}
              className={common.inline}
              aria-current={version === shown ? 'true' : undefined}
            >
              第 {version} 版 · {fullDateText(at)}
            </Link>
            {changes && <span className={common.note}>{changes}</span>}
          </li>
        ))}
      </ol>
    </details>
  )
}

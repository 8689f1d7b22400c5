import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { query } from '#src/api/query.ts'
import { getPromise } from '#src/contract/config.ts'
import { PROMISE } from '#src/domain/money/promise.ts'
import common from '#src/ui/common.module.css'
import { dateText } from '#src/ui/dates.ts'
import article from '#src/ui/text/Article.module.css'
import { RichText } from '#src/ui/text/RichText.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import unseen from '#src/ui/text/Unseen.module.css'

/** 平台承诺: what we hold ourselves to, in the operator's words or our own; these need nobody. */
export function PlatformPromise() {
  const { data, isPending } = useQuery(query(getPromise, {}))
  if (isPending) return <Skeleton />
  const { title, html, at } = data ?? PROMISE
  return (
    <article className={article.article}>
      <h1 className={article.name}>{title}</h1>
      {at !== null && <p className={clsx(common.note, article.since)}>更新于 {dateText(at)}</p>}
      <h2 className={unseen.unseen}>正文</h2>
      <div className={article.html}>
        <RichText html={html} />
      </div>
    </article>
  )
}

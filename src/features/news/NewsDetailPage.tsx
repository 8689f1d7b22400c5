import { IconShare2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useEffect } from 'react'
import { OfflineError } from '#src/api/errors.ts'
import type { Beside, NewsDetail } from '#src/contract/news.ts'
import { besides } from '#src/domain/app/news.ts'
import { BackButton } from '#src/ui/BackButton.tsx'
import common from '#src/ui/common.module.css'
import { Button } from '#src/ui/Button.tsx'
import { timeText } from '#src/ui/dates.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { found, type Here, useHere } from './here.ts'
import unseen from '#src/ui/text/Unseen.module.css'
import classes from './News.module.css'
import { KindMark } from './parts/NewsCard.tsx'
import { Text } from './parts/Text.tsx'
import { newsQuery } from './queries.ts'
import { tellSeen } from './seen.ts'
import { share } from './share.ts'

interface NewsDetailPageProps {
  id: string
  /** That the reader had chosen in the list: they go on in it. */
  category: string | undefined
  onLeave: () => void
}

/** An article; without a network the one that was fetched ahead or opened before. */
export function NewsDetailPage({ id, category, onLeave }: NewsDetailPageProps) {
  const { data, error, isPending, refetch } = useQuery(newsQuery(id, category))
  const lost = !data && error instanceof OfflineError
  const here = useHere(lost)
  const article = data ?? articleHere(here, id, category)
  const isAnswered = data !== undefined
  useEffect(() => {
    if (isAnswered) void tellSeen(id)
  }, [id, isAnswered])
  if (isPending || (lost && !here)) return <Skeleton />
  if (!article) return <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onLeave} />
  return (
    <article className={classes.page}>
      <div className={clsx(common.between, classes.above)}>
        <BackButton onClick={onLeave}>返回</BackButton>
        <Button small look="quiet" onClick={() => void share(article.title)}>
          <IconShare2 size={18} aria-hidden="true" />
          分享
        </Button>
      </div>
      <h1 className={classes.headline}>{article.title}</h1>
      <p className={clsx(common.wrap, common.caption, common.figures, classes.facts)}>
        {article.kind === 'notice' && <KindMark />}
        <span>来源：{article.source}</span>
        <time dateTime={new Date(article.publishedAt).toISOString()}>{timeText(article.publishedAt)}</time>
        {article.views > 0 && <span>{article.views} 次阅读</span>}
      </p>
      {lost && here?.at && (
        <p className={clsx(common.small, common.warm, classes.hint)} role="status">
          当前离线，缓存于 {timeText(here.at)}
        </p>
      )}
      <h2 className={unseen.unseen}>正文</h2>
      <Text key={article.html} html={article.html} />
      <nav className={clsx(common.stack, classes.besides)} aria-label="上一篇与下一篇">
        <Neighbour name="上一篇" to={article.newer} category={category} />
        <Neighbour name="下一篇" to={article.older} category={category} />
      </nav>
    </article>
  )
}

function articleHere(here: Here | null, id: string, category: string | undefined): NewsDetail | null {
  const own = here?.articles.find((each) => each.id === id)
  return here && own ? { ...own, ...besides(found(here, category, ''), id) } : null
}

const NEIGHBOUR = clsx(common.row, common.sunken, classes.neighbour)

/** Instead of this one: going back leads to where the reader came from. */
function Neighbour({ name, to, category }: { name: string; to: Beside; category: string | undefined }) {
  if (!to) return <span className={clsx(NEIGHBOUR, common.quiet)}>{name}：没有了</span>
  return (
    <Link
      to="/news/news_detail/$id"
      params={{ id: to.id }}
      search={category ? { category } : {}}
      replace
      className={clsx(NEIGHBOUR, common.link)}
    >
      <b className={clsx(common.fixed, common.strong, common.accent)}>{name}</b>
      {to.title}
    </Link>
  )
}

import { Link } from '@tanstack/react-router'
import type { NewsHead } from '#src/contract/news.ts'
import { packSettings } from '#src/offline/downloads/downloadSettings.ts'
import { dateText } from '#src/ui/dates.ts'
import classes from '../News.module.css'

interface NewsCardProps {
  head: NewsHead
  /** '' where it goes without saying. */
  category: string
  /** The reader's choice, which the article's neighbours are of, too. */
  within: string | undefined
}

/** One article in a list, and the way to it. */
export function NewsCard({ head, category, within }: NewsCardProps) {
  const { id, title, summary, kind, source, publishedAt, cover, views } = head
  return (
    <Link
      to="/news/news_detail/$id"
      params={{ id }}
      search={within ? { category: within } : {}}
      className={classes.card}
    >
      <span className={classes.words}>
        <strong>
          {kind === 'notice' && <b>公告</b>}
          {title}
        </strong>
        <span className={classes.summary}>{summary}</span>
        <span className={classes.facts}>
          {category && <span>{category}</span>}
          <span>{source}</span>
          <time dateTime={new Date(publishedAt).toISOString()}>{dateText(publishedAt)}</time>
          {views > 0 && <span>{views} 次阅读</span>}
        </span>
      </span>
      {cover && !packSettings.saver() && (
        <img src={cover.src} width={cover.width} height={cover.height} alt="" loading="lazy" decoding="async" />
      )}
    </Link>
  )
}

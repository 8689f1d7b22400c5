import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { NewsHead } from '#src/contract/news.ts'
import { packSettings } from '#src/offline/downloads/downloadSettings.ts'
import { CoverPicture } from '#src/ui/CoverPicture.tsx'
import common from '#src/ui/common.module.css'
import { dateText } from '#src/ui/dates.ts'
import classes from '../News.module.css'

interface NewsCardProps {
  head: NewsHead
  /** '' where it goes without saying. */
  category: string
  /** The reader's choice, which the article's neighbours are of, too. */
  within: string | undefined
}

/** Tells a notice from other articles. */
export const KindMark = () => <b className={clsx(common.warm, common.strong, classes.kind)}>公告</b>

/** One article in a list, and the way to it. */
export function NewsCard({ head, category, within }: NewsCardProps) {
  const { id, title, summary, kind, source, publishedAt, cover, views } = head
  return (
    <Link
      to="/news/news_detail/$id"
      params={{ id }}
      search={within ? { category: within } : {}}
      className={clsx(common.card, common.link, classes.card)}
    >
      <span className={clsx(common.column, common.grow, classes.words)}>
        <strong className={clsx(common.subheading, classes.title)}>
          {kind === 'notice' && <KindMark />}
          {title}
        </strong>
        <span className={clsx(common.note, classes.summary)}>{summary}</span>
        <span className={clsx(common.wrap, common.caption, common.figures, classes.facts)}>
          {category && <span>{category}</span>}
          <span>{source}</span>
          <time dateTime={new Date(publishedAt).toISOString()}>{dateText(publishedAt)}</time>
          {views > 0 && <span>{views} 次阅读</span>}
        </span>
      </span>
      {cover && !packSettings.saver() && <CoverPicture of={cover} className={clsx(common.fixed, classes.picture)} />}
    </Link>
  )
}

import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { Site } from '#src/contract/config.ts'
import { licencesOf } from '#src/domain/app/licences.ts'
import common from '#src/ui/common.module.css'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import article from '#src/ui/text/Article.module.css'
import unseen from '#src/ui/text/Unseen.module.css'
import classes from './About.module.css'
import { PRODUCT } from '../product.ts'
import { siteQuery } from './site.ts'
import { LegalLinks, PhoneLink } from './SiteLinks.tsx'

const linkLook = clsx(common.inline, classes.link)

/** 关于我们: who runs this, how they are reached, and where their licences can be looked up. */
export function About() {
  const { data: site, isPending } = useQuery(siteQuery())
  if (isPending) return <Skeleton />
  return (
    <article className={article.article}>
      <h1 className={article.name}>关于我们</h1>
      <p>
        {PRODUCT}
        帮助士兵和考生准备军队院校招生、提干和文职招聘等考试：没有网络也能做题、听课和模拟考试，做过的每一道题都不会丢。
      </p>
      {site && <Operator site={site} />}
      <nav className={clsx(common.wrap, classes.links)} aria-label="协议与承诺">
        <LegalLinks className={linkLook} />
      </nav>
    </article>
  )
}

function Operator({ site }: { site: Site }) {
  const licences = licencesOf(site)
  return (
    <dl className={clsx(common.stack, common.card, classes.facts)}>
      {site.company && <Fact name="运营者">{site.company}</Fact>}
      {site.phone && (
        <Fact name="客服电话">
          <PhoneLink phone={site.phone} className={linkLook} />
        </Fact>
      )}
      {site.chatId && <Fact name="客服微信">{site.chatId}</Fact>}
      {site.address && <Fact name="公司地址">{site.address}</Fact>}
      {licences.map(({ field, name, number, link }) => (
        <Fact key={field} name={name}>
          {number}
          <a href={link(number)} className={linkLook} target="_blank" rel="noopener noreferrer">
            查验<span className={unseen.unseen}>{name}</span>
          </a>
        </Fact>
      ))}
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={classes.fact}>
    <dt className={clsx(common.note, classes.term)}>{name}</dt>
    <dd className={classes.value}>{children}</dd>
  </div>
)

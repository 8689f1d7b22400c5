import { clsx } from 'clsx'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import common from '#src/ui/common.module.css'
import type { Pdf } from './engine.ts'
import type { Match } from './find.ts'
import type { Link } from './links.ts'
import { PageView } from './PageView.tsx'
import classes from './Pdf.module.css'
import type { Find } from './useFind.ts'
import type { View } from './useView.ts'

interface PagesProps {
  pdf: Pdf
  crowded: ReadonlySet<number>
  box: RefObject<HTMLDivElement | null>
  view: View
  find: Find
  onLink: (to: Link['to']) => void
}
const NO_MATCHES: readonly Match[] = []

/** The window on the pages. Only those in it and their neighbours exist: a thousand cost no more than five. */
export function Pages({ pdf, crowded, box, view, find, onLink }: PagesProps) {
  const { layout, range, sizes } = view
  const active = find.matches[find.active] ?? null
  useMatchInSight(view, active)
  const shown = sizes.slice(range[0], range[1] + 1)
  return (
    <div ref={box} className={clsx(common.grow, classes.window)} role="region" aria-label="文档内容">
      <div className={classes.pages} style={{ width: layout.width, height: layout.height }}>
        {shown.map((size, i) => {
          const index = range[0] + i
          return (
            <PageView
              key={index}
              pdf={pdf}
              index={index}
              crowded={crowded.has(index)}
              scale={layout.scale}
              top={layout.tops[index] ?? 0}
              size={size}
              matches={find.onPage.get(index) ?? NO_MATCHES}
              active={active?.page === index ? active : null}
              onSize={view.setSize}
              onLink={onLink}
            />
          )
        })}
      </div>
    </div>
  )
}

/** A match on a page that does not exist yet: the page is gone to, and then shows where on it. */
function useMatchInSight({ range, go }: View, active: Match | null): void {
  const reach = useEffectEvent((match: Match) => {
    if (match.page < range[0] || match.page > range[1]) go({ page: match.page, x: 0, y: 0 })
  })
  useEffect(() => {
    if (active) reach(active)
  }, [active])
}

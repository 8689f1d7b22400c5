import { clsx } from 'clsx'
import type { VipFeature, VipHead } from '#src/contract/vip.ts'
import common from '#src/ui/common.module.css'
import classes from '../Vip.module.css'

interface CompareProps {
  free: readonly VipFeature[]
  packages: readonly VipHead[]
  /** Number of the one that the page is about. */
  chosen: string
}

/** What comes with which package, side by side with what comes with none. */
export function Compare({ free, packages, chosen }: CompareProps) {
  return (
    <section aria-labelledby="vip-compare">
      <h2 id="vip-compare" className={clsx(common.heading, classes.heading)}>
        对比
      </h2>
      {/* Wider than the screen only when the text is much enlarged: then it scrolls by itself. */}
      <div className={clsx(common.card, classes.compare)}>
        <table className={classes.table} aria-labelledby="vip-compare">
          <thead>
            <tr>
              {['内容', '免费用户'].map((name) => (
                <th key={name} className={classes.cell} scope="col">
                  {name}
                </th>
              ))}
              {packages.map(({ no, title }) => (
                <th key={no} className={clsx(classes.cell, no === chosen && classes.chosen)} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {free.map(({ name, has }, i) => (
              <tr key={name} className={classes.feature}>
                <th className={classes.cell} scope="row">
                  {name}
                </th>
                <Cell has={has} />
                {packages.map(({ no, features }) => (
                  <Cell key={no} has={features[i]?.has ?? false} chosen={no === chosen} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const HAS = clsx(common.accent, common.strong)

/** In words for who hears it; by sign, not by colour alone, for who sees it. */
function Cell({ has, chosen = false }: { has: VipFeature['has']; chosen?: boolean }) {
  return (
    <td className={clsx(classes.cell, has === false ? common.quiet : HAS, chosen && classes.chosen)}>
      {typeof has === 'string' ? (
        has
      ) : (
        <span className={classes.sign} role="img" aria-label={has ? '有' : '没有'}>
          {has ? '✓' : '—'}
        </span>
      )}
    </td>
  )
}

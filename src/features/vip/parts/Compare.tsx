import type { VipFeature, VipHead } from '#src/contract/vip.ts'
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
      <h2 id="vip-compare">对比</h2>
      {/* Wider than the screen only when the text is much enlarged: then it scrolls by itself. */}
      <div className={classes.compare}>
        <table aria-labelledby="vip-compare">
          <thead>
            <tr>
              <th scope="col">内容</th>
              <th scope="col">不开通</th>
              {packages.map(({ no, title }) => (
                <th key={no} scope="col" data-chosen={no === chosen || undefined}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {free.map(({ name, has }, i) => (
              <tr key={name}>
                <th scope="row">{name}</th>
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

/** In words for who hears it; by sign, not by colour alone, for who sees it. */
function Cell({ has, chosen = false }: { has: VipFeature['has']; chosen?: boolean }) {
  return (
    <td data-chosen={chosen || undefined} data-has={has !== false || undefined}>
      {typeof has === 'string' ? (
        has
      ) : (
        <span role="img" aria-label={has ? '有' : '没有'}>
          {has ? '✓' : '—'}
        </span>
      )}
    </td>
  )
}

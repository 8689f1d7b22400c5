import classes from './Unseen.module.css'

interface UnseenTableProps {
  caption: string
  head: readonly string[]
  /** The first cell names its row, and no other one so. */
  rows: readonly (readonly string[])[]
}

/** What a chart shows, for who cannot see it. */
export const UnseenTable = ({ caption, head, rows }: UnseenTableProps) => (
  <div className={classes.unseen}>
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...cells]) => (
          <tr key={first}>
            <th scope="row">{first}</th>
            {cells.map((cell, i) => (
              <td key={head[i + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

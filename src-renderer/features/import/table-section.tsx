import type { ReactNode } from 'react'
import classes from './import.module.css'

/** A titled table that scrolls sideways where it is too wide. `numbers`: the heads of its columns of numbers. */
export function TableSection(props: {
  id: string
  title: string
  heads: readonly string[]
  numbers: readonly string[]
  above?: ReactNode
  below?: ReactNode
  children: ReactNode
}) {
  const { id, title, heads, numbers, above, below, children } = props
  return (
    <div className={classes.section}>
      <h3 id={id} className={classes.title}>
        {title}
      </h3>
      {above}
      <div className={classes.scroll} role="region" aria-labelledby={id} tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} className={numbers.includes(head) ? classes.number : undefined}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
      {below}
    </div>
  )
}

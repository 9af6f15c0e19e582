import type { ReactNode } from 'react'
import classes from '../panes/record.module.css'

/** What a record is, one fact a line. `label` is in the user's language. */
export function FactList({ facts }: { facts: ReadonlyArray<{ readonly label: string; readonly value: ReactNode }> }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, value }) => (
        <div key={label} className={classes.fact}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

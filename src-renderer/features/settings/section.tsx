import type { ReactNode } from 'react'
import classes from './settings.module.css'

/** The column that sections stand in. */
export function SectionColumn({ children }: { children: ReactNode }) {
  return (
    <div className={classes.screen}>
      <div className={classes.column}>{children}</div>
    </div>
  )
}

/** A titled part of the settings. */
export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={classes.section} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className={classes.title}>
        {title}
      </h2>
      {children}
    </section>
  )
}

import type { ReactNode } from 'react'
import classes from './capture.module.css'

/** A field with what receipts say of it, at the end of its label's line: nothing moves when that arrives. */
export function Marked({ marks, children }: { marks: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.marked}>
      {children}
      <div className={classes.marks}>{marks}</div>
    </div>
  )
}

import { CircleAlert } from 'lucide-react'
import classes from './sync.module.css'

/** A text of a row, clipped; before it why the last act on the row was refused. */
export function RefusedText({ text, refusal }: { text: string; refusal?: string }) {
  return (
    <span className={classes.refused}>
      {refusal !== undefined && (
        <span className={classes.reason} title={refusal}>
          <CircleAlert size={14} aria-hidden />
          <span className={classes.clip}>{refusal}</span>
        </span>
      )}
      <span className={classes.clip} title={text}>
        {text}
      </span>
    </span>
  )
}

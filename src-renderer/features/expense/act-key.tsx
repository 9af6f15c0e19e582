import { KeyHint } from '../../ui/keys/key-hint'
import classes from './expense.module.css'

/** The key of an act, within its button; what is read aloud is the name of the button alone. */
export function ActKey({ keys }: { keys: string }) {
  return (
    <span className={classes.actKey} aria-hidden>
      <KeyHint keys={keys} />
    </span>
  )
}

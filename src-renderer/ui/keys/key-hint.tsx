import { keyCaps } from './key-combo'
import classes from '../parts.module.css'
import { isMac } from './shortcuts'

/** The keys of a shortcut, drawn as caps. `keys` as in the shortcut registry. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <span className={classes.keys}>
      {keyCaps(keys, isMac).map((cap, index) => (
        <kbd key={index} className={classes.key}>
          {cap}
        </kbd>
      ))}
    </span>
  )
}

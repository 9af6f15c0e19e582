import { Button } from '@mantine/core'
import { KeyHint } from '../keys/key-hint'
import classes from '../parts.module.css'

/** Something the user can do from a state. `keys`: its shortcut, shown in the button. */
export type StateAction = { label: string; run: () => void; keys?: string }

/** Nothing here: one sentence, and what can be done about it; the first action is the likeliest. */
export function EmptyState({ sentence, action, others = [] }: { sentence: string; action?: StateAction; others?: readonly StateAction[] }) {
  return (
    <div className={classes.state}>
      <p className={classes.stateText}>{sentence}</p>
      {action && (
        <div className={classes.stateActions}>
          {[action, ...others].map(({ label, run, keys }) => (
            <Button key={label} variant="default" onClick={run} rightSection={keys && <KeyHint keys={keys} />}>
              {label}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

import { Button } from '@mantine/core'
import { KeyHint } from './key-hint'
import classes from './parts.module.css'

/** Something the user can do from a state. `keys`: its shortcut, shown in the button. */
export type StateAction = { label: string; run: () => void; keys?: string }

/** Nothing here: one sentence, and the one thing to do. */
export function EmptyState({ sentence, action }: { sentence: string; action?: StateAction }) {
  return (
    <div className={classes.state}>
      <p className={classes.stateText}>{sentence}</p>
      {action && (
        <div className={classes.stateActions}>
          <Button variant="default" onClick={action.run} rightSection={action.keys && <KeyHint keys={action.keys} />}>
            {action.label}
          </Button>
        </div>
      )}
    </div>
  )
}

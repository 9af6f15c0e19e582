import { Button, CopyButton } from '@mantine/core'
import classes from './shown-once.module.css'

/** A secret that is shown this one time, and a way to copy it. */
export function ShownOnce({ value, copyLabel, copiedLabel }: { value: string; copyLabel: string; copiedLabel: string }) {
  return (
    <div className={classes.secret}>
      <code>{value}</code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? copiedLabel : copyLabel}
          </Button>
        )}
      </CopyButton>
    </div>
  )
}

import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import i18next from 'i18next'
import { KeyHint } from './key-hint'
import { announce } from './live-region'
import classes from './parts.module.css'

/** How long an act can be taken back. */
export const undoTimeMs = 10_000

function closable() {
  return { withCloseButton: true, closeButtonProps: { 'aria-label': i18next.t('shell:close') } }
}

/** Tells that something is done, without a way back. */
export function notifyDone(message: string): void {
  announce(message)
  notifications.show({ message, ...closable() })
}

/** Tells that something failed; it stays until closed. `title` is what happened, `message` what is kept and what to do. */
export function notifyFailure(failure: { title: string; message: string }): void {
  announce(`${failure.title} ${failure.message}`)
  notifications.show({ ...failure, color: 'red', autoClose: false, ...closable() })
}

/** Tells that something is done and offers to take it back for ten seconds. The caller registers `mod+z` itself. */
export function notifyUndo({ message, undoLabel, undo }: { message: string; undoLabel: string; undo: () => void }): void {
  announce(message)
  const id = notifications.show({
    autoClose: undoTimeMs,
    ...closable(),
    message: (
      <span className={classes.toast}>
        <span className="tabular">{message}</span>
        <Button
          variant="subtle"
          rightSection={<KeyHint keys="mod+z" />}
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          {undoLabel}
        </Button>
      </span>
    ),
  })
}

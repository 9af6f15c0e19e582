import { ActionIcon, Anchor, Button } from '@mantine/core'
import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { undoAct, useUndoStack } from '../../state/undo-stack'
import { KeyHint } from '../keys/key-hint'
import { dismissDone, dismissFailure, type DoneNotice, type FailureNotice, useStatus } from '../../state/notices'
import classes from './status-line.module.css'

/** The id of the end of the line: a list says there what it comes to. */
export const footId = 'foot'

/**
 * The one place that says the result of the user's acts, and what the list comes to. The line is always there, so that nothing moves under the
 * pointer and nothing is covered; only a failure makes it taller. Holds the one live region.
 */
export function StatusLine() {
  const { t } = useTranslation('ui')
  const { done, failures, spoken } = useStatus()
  const failure = failures.at(-1)
  return (
    <section className={classes.root} aria-label={t('status.label')}>
      {failure && <FailureLine failure={failure} count={failures.length} />}
      <DoneLine done={done} />
      <div className="visually-hidden" aria-live="polite" aria-atomic={false} role="status">
        {spoken.map(({ text, turn }) => (
          <p key={turn}>{text}</p>
        ))}
      </div>
    </section>
  )
}

function FailureLine({ failure: { title, message }, count }: { failure: FailureNotice; count: number }) {
  const { t } = useTranslation('ui')
  return (
    <div className={`${classes.line} ${classes.failure}`}>
      <p className={classes.failureText} style={{ margin: 0 }}>
        <span className={classes.failureTitle}>{title}</span> {message}
      </p>
      {count > 1 && <span className={classes.count}>{t('status.failures', { count })}</span>}
      <ActionIcon aria-label={t('status.dismiss')} title={t('status.dismiss')} onClick={dismissFailure}>
        <X size={16} />
      </ActionIcon>
    </div>
  )
}

function DoneLine({ done }: { done: DoneNotice | null }) {
  const { t } = useTranslation('ui')
  const act = useUndoStack((state) => state.done.find(({ id }) => id === done?.actId))
  return (
    <div className={classes.line}>
      {done && (
        <>
          <span className={classes.text} title={done.message}>
            {done.message}
          </span>
          {done.link && (
            <Anchor component={Link} href={done.link.href} size="xs">
              {done.link.label}
            </Anchor>
          )}
          {act && (
            <Button variant="subtle" rightSection={<KeyHint keys="u" />} onClick={() => undoAct(act.area, act.id)}>
              {t('undo')}
            </Button>
          )}
          <ActionIcon aria-label={t('status.clear')} title={t('status.clear')} onClick={dismissDone}>
            <X size={16} />
          </ActionIcon>
        </>
      )}
      <span className={classes.spring} />
      <div id={footId} className={classes.foot} />
    </div>
  )
}

import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StateAction } from './empty-state'
import classes from './parts.module.css'

/** What `ErrorState` says. `detail` and `requestId` are for support and stay behind one click. */
export type ErrorStateProps = {
  happened: string
  kept: string
  todo?: string
  action: StateAction
  requestId?: string
  detail?: string
}

/** A failure: what happened, what is kept, what to do, a button that does it. */
export function ErrorState({ happened, kept, todo, action, requestId, detail }: ErrorStateProps) {
  const { t } = useTranslation('ui')
  const [isOpen, setOpen] = useState(false)
  const support = [requestId && t('error.request', { id: requestId }), detail].filter(Boolean).join('\n')
  return (
    <div className={classes.state} role="alert">
      <h2 className={classes.stateTitle}>{happened}</h2>
      <p className={classes.stateText}>{kept}</p>
      {todo && <p className={classes.stateText}>{todo}</p>}
      <div className={classes.stateActions}>
        <Button onClick={action.run}>{action.label}</Button>
        {support && (
          <Button variant="subtle" color="gray" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t('error.support')}
          </Button>
        )}
      </div>
      {isOpen && <pre className={classes.support}>{support}</pre>}
    </div>
  )
}

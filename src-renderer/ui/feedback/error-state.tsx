import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StateAction } from './empty-state'
import classes from '../parts.module.css'

/** The text of `ErrorState`. Details of the `error` are for support and need a click; `onRetry` tries again. */
export type ErrorStateProps = { happened: string; kept: string; todo?: string; error?: unknown } & (
  { action: StateAction } | { onRetry: () => void }
)

/** A failure: what happened, what is kept, what to do, a button that does it. */
export function ErrorState({ happened, kept, todo, error, ...rest }: ErrorStateProps) {
  const { t } = useTranslation('ui')
  const [isOpen, setOpen] = useState(false)
  const action = 'action' in rest ? rest.action : { label: t('retry'), run: rest.onRetry }
  const id = requestIdOf(error)
  const support = [id && t('error.request', { id }), textOf(error)].filter(Boolean).join('\n')
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

/** What finds a failed request in the server's log. */
function requestIdOf(error: unknown): string | undefined {
  const id = error instanceof Error && 'request_id' in error ? error.request_id : undefined
  return typeof id === 'string' ? id : undefined
}

function textOf(error: unknown): string | undefined {
  if (error instanceof Error) return `${error.name}${'status' in error ? ` ${String(error.status)}` : ''}: ${error.message}`
  return typeof error === 'string' ? error : undefined
}

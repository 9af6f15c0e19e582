import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '../../../state/preferences'
import { formatCount } from '../../../ui/values/format'
import { changesOf } from '../deciding/changes'
import classes from '../review.module.css'
import { lookAgain, useRowStates, type RowState, type Unsent } from './row-states'

/** Why an act left an expense as it was, in words; undefined where it did not. */
export function useReasonText(state: RowState | undefined): string | undefined {
  const { t } = useTranslation('review')
  if (state?.kind === 'refused') return state.reason === '' ? t('row.noAnswer') : state.reason
  if (state?.kind !== 'changed') return undefined
  const what = changesOf(state.seen, state.expense).map((part) => t(`changed.${part}`))
  return t('row.changed', { what: what.join(', ') })
}

/** All of the reason that its row has room for a part of, and what clears it. */
export function RowNote({ uid }: { uid: string | undefined }) {
  const { t } = useTranslation('review')
  const text = useReasonText(useRowStates(({ states }) => (uid === undefined ? undefined : states.get(uid))))
  if (uid === undefined || text === undefined) return null
  return (
    <div className={classes.rowNote} role="note">
      <span>{text}</span>
      <Button variant="subtle" onClick={() => lookAgain(uid)}>
        {t('action.lookAgain')}
      </Button>
    </div>
  )
}

/** Decisions that got no response from the server, and the way to send them all again. */
export function UnsentBar({ onRetry }: { onRetry: (unsent: readonly Unsent[]) => void }) {
  const { t } = useTranslation('review')
  const language = usePreferences((state) => state.language)
  const states = useRowStates((state) => state.states)
  const unsent = [...states.values()].flatMap((state) => (state.kind === 'refused' && state.unsent ? [state.unsent] : []))
  if (unsent.length === 0) return null
  return (
    <div className={classes.foot} role="group" aria-label={t('unsent.label')}>
      <span>{t('unsent.count', { count: unsent.length, formatted: formatCount(unsent.length, language) })}</span>
      <span data-grow />
      <Button onClick={() => onRetry(unsent)}>{t('unsent.retry')}</Button>
    </div>
  )
}

import { ActionIcon, Button } from '@mantine/core'
import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PreExpense } from '#shared/contract/pre-expenses'
import type { PreExpenseState } from '#shared/domain/pre-expense-state'
import { actOnSaved } from '../../state/open-forms'
import { KeyHint } from '../../ui/keys/key-hint'
import classes from './pre-expenses.module.css'

/** What can be done with all that is selected. */
export type FootActions = Readonly<Record<'convert' | 'ignore' | 'restore' | 'remove' | 'clear', () => void>>

/** How many are selected, and what can be done with them. */
export function InboxFoot({ selected, state, actions }: { selected: readonly PreExpense[]; state: PreExpenseState; actions: FootActions }) {
  const { t } = useTranslation('pre-expenses')
  const count = selected.length
  return (
    <div className={classes.foot} role="toolbar" aria-label={t('selection.label')}>
      <span className={classes.footCount}>{t('selection.count', { count })}</span>
      <span className={classes.spring} />
      {state === 'waiting_approval' ? (
        <>
          <Button onClick={() => actOnSaved(t('action.convert'), actions.convert)} rightSection={<KeyHint keys="e" />}>
            {t('action.convert')}
          </Button>
          <Button variant="default" onClick={() => actOnSaved(t('action.ignore'), actions.ignore)} rightSection={<KeyHint keys="i" />}>
            {t('action.ignore')}
          </Button>
        </>
      ) : (
        <Button onClick={() => actOnSaved(t('action.restore'), actions.restore)} rightSection={<KeyHint keys="r" />}>
          {t('action.restore')}
        </Button>
      )}
      <Button variant="subtle" color="gray" onClick={() => actOnSaved(t('action.delete'), actions.remove)}>
        {t('action.delete')}
      </Button>
      <ActionIcon aria-label={t('selection.clear')} title={t('selection.clear')} onClick={actions.clear}>
        <X size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}

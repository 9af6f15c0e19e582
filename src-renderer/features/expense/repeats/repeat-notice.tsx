import { Button } from '@mantine/core'
import { Columns2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { useShortcuts } from '#renderer/ui/keys/shortcuts'
import type { ExpenseAccess } from '../expense-access'
import { CompareRepeats } from './compare-repeats'
import classes from './repeats.module.css'

/** Whether an expense was found to repeat others that were recorded before it. */
export function isRepeat({ flags }: Expense): boolean {
  return flags.some(({ condition }) => condition === 'repeat')
}

/** Opens an expense and those that it may repeat, or that may repeat it, side by side. */
export function RepeatNotice({ expense, access, isFound }: { expense: Expense; access: ExpenseAccess; isFound: boolean }) {
  const { t } = useTranslation('repeats')
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useShortcuts({ scope: 'expense-repeats', title: t('title') }, [
    { id: 'compare', keys: 'shift+d', label: t('compare'), run: open, when: () => isFound },
  ])
  if (!isFound && !isOpen) return null
  return (
    <div className={classes.notice}>
      {isFound && (
        <Button variant="default" size="compact-sm" leftSection={<Columns2 size={14} aria-hidden />} onClick={open}>
          {t('compare')}
        </Button>
      )}
      {isOpen && <CompareRepeats expense={expense} access={access} onClose={() => setOpen(false)} />}
    </div>
  )
}

import { X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../parts.module.css'

/** A filter in words, already in the user's language. `operator` is left out where it is plain equality. */
export type FilterChipProps = { attribute: string; operator?: string; value: string; onEdit: () => void; onRemove: () => void }

/** One filter: Enter or a click changes it, Delete or Backspace or the cross removes it. */
export function FilterChip({ attribute, operator, value, onEdit, onRemove }: FilterChipProps) {
  const { t } = useTranslation('ui')
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return
    event.preventDefault()
    onRemove()
  }
  const text = operator ? `${attribute} ${operator} ${value}` : `${attribute}: ${value}`
  return (
    <span className={classes.chip} role="group" aria-label={text} onKeyDown={onKeyDown}>
      <button type="button" onClick={onEdit}>
        <span className={classes.chipQuiet}>
          {attribute}
          {operator ? ` ${operator}` : ':'}
        </span>{' '}
        {value}
      </button>
      <button type="button" className={classes.chipRemove} aria-label={t('filter.remove', { filter: text })} onClick={onRemove}>
        <X size={12} aria-hidden />
      </button>
    </span>
  )
}

import { Button, Radio } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ExpenseForm, ExpenseField, FieldConflict } from './expense-form'
import classes from './expense.module.css'

/** Two people changed the same fields: both values of each, to choose from. One's own are preselected. */
export function ConflictChooser({
  conflicts,
  onChoose,
  onCancel,
}: {
  conflicts: readonly FieldConflict[]
  onChoose: (chosen: Partial<ExpenseForm>) => void
  onCancel: () => void
}) {
  const { t } = useTranslation('expense')
  const [theirs, setTheirs] = useState<ReadonlySet<ExpenseField>>(new Set())
  const choose = () =>
    onChoose(Object.fromEntries(conflicts.map(({ field, mine, theirs: stored }) => [field, theirs.has(field) ? stored : mine])))
  const toggle = (field: ExpenseField, value: string) =>
    setTheirs((before) => (value === 'theirs' ? before.union(new Set([field])) : before.difference(new Set([field]))))
  const write = (value: FieldConflict['mine']) => {
    const text =
      typeof value === 'boolean'
        ? t(value ? 'fields.throughAdvancement' : 'fields.throughReimbursement')
        : typeof value === 'string'
          ? value
          : value.join(', ')
    return text === '' ? t('none') : text
  }
  return (
    <form
      className={classes.form}
      aria-label={t('conflict.title')}
      onSubmit={(event) => {
        event.preventDefault()
        choose()
      }}
    >
      <h3 className={classes.blockTitle}>{t('conflict.title')}</h3>
      <p className={classes.hint}>{t('conflict.text')}</p>
      {conflicts.map(({ field, mine, theirs: stored }) => (
        <Radio.Group
          key={field}
          label={t(`fields.${field}`)}
          value={theirs.has(field) ? 'theirs' : 'mine'}
          size="xs"
          onChange={(value) => toggle(field, value)}
        >
          <div className={classes.radios}>
            <Radio size="xs" value="mine" label={t('conflict.mine', { value: write(mine) })} />
            <Radio size="xs" value="theirs" label={t('conflict.theirs', { value: write(stored) })} />
          </div>
        </Radio.Group>
      ))}
      <div className={classes.formActions}>
        <Button variant="default" onClick={onCancel}>
          {t('edit.discard')}
        </Button>
        <Button type="submit" autoFocus>
          {t('conflict.save')}
        </Button>
      </div>
    </form>
  )
}

import { Checkbox } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Import, ImportChange } from '#shared/contract/imports'
import { keepImport, readImport, useChanges } from '../../api/imports'
import classes from './import.module.css'
import { MoreLines } from './more-lines'
import { TableSection } from './table-section'
import { useAct } from './use-act'

/** The rows whose expenses have other values, old and new side by side, and whether to update them. */
export function Changes({ shown }: { shown: Import }) {
  const { t } = useTranslation('imports')
  const client = useQueryClient()
  const pages = useChanges(shown)
  const { options, state } = shown
  // Only reading the file again shows what an update would meet, such as a settled expense.
  const { act, isBusy, failure } = useAct(async () => keepImport(client, await readImport(shown, { ...options, update: !options.update })))
  const changes = (pages.data?.pages ?? []).flatMap((page) => page.lines)
  return (
    <TableSection
      id="import-changes"
      title={t('changes')}
      heads={[t('row'), t('expense'), t('column'), t(state === 'finished' ? 'before' : 'from'), t('to')]}
      numbers={[t('row')]}
      above={
        <>
          {state === 'ready' && (
            <Checkbox label={t('update')} description={t('updateHint')} checked={options.update} disabled={isBusy} onChange={act} />
          )}
          {failure}
        </>
      }
      below={<MoreLines pages={pages} count={shown.report?.changed ?? 0} />}
    >
      {changes.map((change) => (
        <ChangedRow key={change.row} change={change} />
      ))}
    </TableSection>
  )
}

function ChangedRow({ change: { row, expense_id, changes } }: { change: ImportChange }) {
  const { t } = useTranslation('imports')
  return changes.map(({ attribute, from, to }, index) => (
    <tr key={attribute}>
      <td className={classes.number}>{index === 0 && row}</td>
      <td className={classes.day}>{index === 0 && <Link href={`/expenses/${expense_id}`}>#{expense_id}</Link>}</td>
      <td>{t([`field.${attribute}`, `expense:fields.${attribute}`])}</td>
      <td className={classes.wide}>{from ?? t('none')}</td>
      <td className={classes.wide}>{to ?? t('none')}</td>
    </tr>
  ))
}

import { Checkbox } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Import, ImportChange } from '#shared/contract/imports'
import { keepImport, readImport, useChanges } from '../../api/imports'
import classes from './import.module.css'
import { MoreLines } from './more-lines'
import { useAct } from './use-act'

/** The rows whose expenses have other values, old and new side by side, and whether to update them. */
export function Changes({ shown }: { shown: Import }) {
  const { t } = useTranslation('imports')
  const client = useQueryClient()
  const pages = useChanges(shown)
  const { options, state } = shown
  // What an update would meet, a settled expense for one, only another reading of the file tells.
  const { act, isBusy, failure } = useAct(async () =>
    keepImport(client, await readImport(shown, { ...options, update: !options.update })),
  )
  const changes = (pages.data?.pages ?? []).flatMap((page) => page.lines)
  return (
    <section className={classes.section} aria-labelledby="import-changes">
      <h3 id="import-changes" className={classes.title}>
        {t('changes')}
      </h3>
      {state === 'ready' && (
        <Checkbox
          label={t('update')}
          description={t('updateHint')}
          checked={options.update}
          disabled={isBusy}
          onChange={act}
        />
      )}
      {failure}
      <div className={classes.scroll} role="region" aria-labelledby="import-changes" tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th className={classes.number}>{t('row')}</th>
              <th>{t('expense')}</th>
              <th>{t('column')}</th>
              <th>{t(state === 'finished' ? 'before' : 'from')}</th>
              <th>{t('to')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <ChangedRow key={change.row} change={change} />
            ))}
          </tbody>
        </table>
      </div>
      <MoreLines pages={pages} />
    </section>
  )
}

function ChangedRow({ change: { row, expense_id, changes } }: { change: ImportChange }) {
  const { t } = useTranslation('imports')
  return changes.map(({ attribute, from, to }, index) => (
    <tr key={attribute}>
      <td className={classes.number}>{index === 0 && row}</td>
      <td className={classes.day}>
        {index === 0 && (
          <Link href={`/expenses/${expense_id}`} className={classes.link}>
            #{expense_id}
          </Link>
        )}
      </td>
      <td>{t(`field.${attribute}`)}</td>
      <td className={classes.wide}>{from ?? t('none')}</td>
      <td className={classes.wide}>{to ?? t('none')}</td>
    </tr>
  ))
}

import { useTranslation } from 'react-i18next'
import type { ImportedTable } from '#shared/contract/imports'
import { Amount } from '../../ui/amount'
import { Instant } from '../../ui/instant'
import classes from './import.module.css'

/** The first rows of a file as they are read: enough to see that columns, dates and amounts are right. */
export function FirstRows({ table }: { table: ImportedTable }) {
  const { t } = useTranslation('imports')
  return (
    <section className={classes.section} aria-labelledby="import-first">
      <h3 id="import-first" className={classes.title}>
        {t('first')}
      </h3>
      <div className={classes.scroll} role="region" aria-labelledby="import-first" tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th className={classes.number}>{t('row')}</th>
              <th>{t('field.occurred_at')}</th>
              <th>{t('field.receiver')}</th>
              <th className={classes.number}>{t('field.amount')}</th>
              <th>{t('field.tags')}</th>
              <th>{t('field.description')}</th>
            </tr>
          </thead>
          <tbody>
            {table.first_rows.map((row) => (
              <tr key={row.row}>
                <td className={classes.number}>{row.row}</td>
                <td className={classes.day}>
                  <Instant value={`${row.occurred_at}T00:00:00Z`} />
                </td>
                <td>{row.receiver}</td>
                <td className={classes.number}>
                  <Amount amount={Number(row.amount)} currency={row.currency} />
                </td>
                <td>
                  <span className={classes.clamp}>{row.tags.join(', ')}</span>
                </td>
                <td className={classes.wide}>
                  <span className={classes.clamp}>{row.description}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

import { useTranslation } from 'react-i18next'
import type { ImportedTable } from '#shared/contract/imports'
import { Amount } from '../../ui/values/amount'
import { Instant } from '../../ui/values/instant'
import classes from './import.module.css'
import { TableSection } from './table-section'

/** The first rows of a file as read: enough to see that columns, dates and amounts are right. */
export function FirstRows({ table }: { table: ImportedTable }) {
  const { t } = useTranslation('imports')
  const [row, amount] = [t('row'), t('field.amount')]
  return (
    <TableSection
      id="import-first"
      title={t('first')}
      heads={[row, t('field.occurred_at'), t('field.receiver'), amount, t('field.tags'), t('field.description')]}
      numbers={[row, amount]}
    >
      {table.first_rows.map((one) => (
        <tr key={one.row}>
          <td className={classes.number}>{one.row}</td>
          <td className={classes.day}>
            <Instant value={`${one.occurred_at}T00:00:00Z`} />
          </td>
          <td>{one.receiver}</td>
          <td className={classes.number}>
            <Amount amount={Number(one.amount)} currency={one.currency} />
          </td>
          <td>
            <span className={classes.clamp}>{one.tags.join(', ')}</span>
          </td>
          <td className={classes.wide}>
            <span className={classes.clamp}>{one.description}</span>
          </td>
        </tr>
      ))}
    </TableSection>
  )
}

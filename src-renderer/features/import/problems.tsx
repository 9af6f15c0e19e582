import { useTranslation } from 'react-i18next'
import type { Import } from '#shared/contract/imports'
import { useProblems } from '../../api/imports'
import classes from './import.module.css'
import { MoreLines } from './more-lines'
import { TableSection } from './table-section'

/** The rows that are not imported, each with its line in the file and the reason. */
export function Problems({ shown }: { shown: Import }) {
  const { t } = useTranslation('imports')
  const pages = useProblems(shown)
  const lines = (pages.data?.pages ?? []).flatMap((page) => page.lines)
  return (
    <TableSection
      id="import-problems"
      title={t(shown.state === 'finished' ? 'problemsDone' : 'problems')}
      heads={[t('row'), t('column'), t('reason')]}
      numbers={[t('row')]}
      below={<MoreLines pages={pages} count={shown.report?.problems ?? 0} />}
    >
      {lines.map(({ row, column, reason }) => (
        <tr key={`${row} ${column ?? ''} ${reason}`}>
          <td className={classes.number}>{row}</td>
          <td>{column}</td>
          <td className={classes.wide}>{reason}</td>
        </tr>
      ))}
    </TableSection>
  )
}

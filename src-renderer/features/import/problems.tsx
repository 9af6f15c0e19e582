import { useTranslation } from 'react-i18next'
import type { Import } from '#shared/contract/imports'
import { useProblems } from '../../api/imports'
import classes from './import.module.css'
import { MoreLines } from './more-lines'

/** The rows that are not imported, each with its line in the file and the reason. */
export function Problems({ shown }: { shown: Import }) {
  const { t } = useTranslation('imports')
  const pages = useProblems(shown)
  const lines = (pages.data?.pages ?? []).flatMap((page) => page.lines)
  return (
    <section className={classes.section} aria-labelledby="import-problems">
      <h3 id="import-problems" className={classes.title}>
        {t(shown.state === 'finished' ? 'problemsDone' : 'problems')}
      </h3>
      <div className={classes.scroll} role="region" aria-labelledby="import-problems" tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th className={classes.number}>{t('row')}</th>
              <th>{t('column')}</th>
              <th>{t('reason')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ row, column, reason }) => (
              <tr key={`${row} ${column ?? ''} ${reason}`}>
                <td className={classes.number}>{row}</td>
                <td>{column}</td>
                <td className={classes.wide}>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <MoreLines pages={pages} />
    </section>
  )
}

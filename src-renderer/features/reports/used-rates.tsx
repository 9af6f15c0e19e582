import { useTranslation } from 'react-i18next'
import type { SpendingReport } from '#shared/contract/reports/reports'
import { usePreferences } from '../../state/preferences'
import { useDayWithYear } from './words'
import classes from './reports.module.css'

/** The rates that amounts were converted by, and the currencies that stay apart. */
export function UsedRates({ report: { rates, unconverted } }: { report: SpendingReport }) {
  const { t } = useTranslation('reports')
  const language = usePreferences((state) => state.language)
  const day = useDayWithYear()
  return (
    <>
      {unconverted.map(({ currency, day: missing }) => (
        <p key={currency} className={classes.note} role="status">
          {t('rates.missing', { currency, day: day(missing) })}
        </p>
      ))}
      {rates.length > 0 && (
        <details className={classes.rates}>
          <summary>{t('rates.title', { count: rates.length })}</summary>
          <div className={classes.tableBox}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">{t('by.currency')}</th>
                  <th scope="col">{t('rates.rate')}</th>
                  <th scope="col">{t('rates.rateDay')}</th>
                  <th scope="col">{t('rates.source')}</th>
                </tr>
              </thead>
              <tbody>
                {rates.map(({ currency, day: of, rate, source }) => (
                  <tr key={`${currency} ${of} ${source}`}>
                    <th scope="row">{currency}</th>
                    <td>{new Intl.NumberFormat(language, { maximumFractionDigits: 8 }).format(Number(rate))}</td>
                    <td>{day(of)}</td>
                    <td>{t(`rates.of.${source}`)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </>
  )
}

import { useTranslation } from 'react-i18next'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/values/clock'
import { formatDay } from '../../ui/values/format'
import classes from './reports.module.css'

/** Says which dates a report compares with. */
export function PeriodNote({ period: { from, until } }: { period: { from: string; until: string } }) {
  const { t } = useTranslation('reports')
  const language = usePreferences((state) => state.language)
  const options = { language, timezone: 'Etc/UTC', now: now() }
  const last = new Date(Date.parse(until) - 1000).toISOString().slice(0, 10)
  const day = (instant: string) => formatDay(`${instant.slice(0, 10)}T00:00:00Z`, options)
  return <p className={classes.note}>{t('comparedWith', { from: day(from), until: day(last) })}</p>
}

import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Damage } from '#shared/contract/instance/recoveries'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/values/clock'
import { formatAbsolute } from '../../ui/values/format'
import classes from './recovery.module.css'

/** Damaged rows in the database that is in use, and what to do about them. It stays until a check finds nothing. */
export function DamageNotice({ damage: { found_at, problems } }: { damage: Damage }) {
  const { t } = useTranslation('recovery')
  const titleId = useId()
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  return (
    <section className={classes.notice} role="alert" aria-labelledby={titleId}>
      <TriangleAlert size={18} aria-hidden />
      <div className={classes.body}>
        <h2 id={titleId} className={classes.title}>
          {t('damage.title')}
        </h2>
        <p className={classes.text}>{t('damage.text', { time: formatAbsolute(found_at, { language, timezone, now: now() }) })}</p>
        <p className={classes.text}>{t('damage.next')}</p>
        <details className={classes.missing}>
          <summary>{t('damage.show', { count: problems.length })}</summary>
          <ul className={classes.list}>
            {problems.map((problem) => (
              <li key={problem} className={classes.place}>
                {problem}
              </li>
            ))}
          </ul>
        </details>
      </div>
    </section>
  )
}

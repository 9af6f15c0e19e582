import { useTranslation } from 'react-i18next'
import { useStatementMatching } from '../../api/statements/statements'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/values/clock'
import { formatCount, formatDay } from '../../ui/values/format'
import classes from './statements.module.css'

/** The longest time between two steps of an import that runs. */
const longestPauseMs = 60_000

/** Says which imports of statements were cut off, and how far they are. */
export function CutOffImports({ organizationId, cardId }: { organizationId: number; cardId: number | null }) {
  const { t } = useTranslation('statements')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const { data } = useStatementMatching(organizationId, cardId)
  const dayText = (day: string) => formatDay(day, { language, timezone, now: now() })
  // One that added lines a moment ago is still running.
  const cutOff = data?.unfinished.filter(({ at }) => now().getTime() - Date.parse(at) > longestPauseMs) ?? []
  return cutOff.map(({ corporative_card_id: id, first_day, last_day, added, lines }) => (
    <p key={`${id} ${first_day}`} className={classes.notice} role="status">
      {t('unfinished', {
        ...{ from: dayText(first_day), to: dayText(last_day) },
        ...{ added: formatCount(added, language), lines: formatCount(lines, language) },
      })}
    </p>
  ))
}

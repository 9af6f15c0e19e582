import { usePreferences } from '../../state/preferences'
import { now } from './clock'
import { formatAbsolute, formatDay, formatMoment } from './format'

/** An instant of the API (ISO 8601, UTC) in the user's timezone: the day, or with `show="moment"` the time too; in full on hover. */
export function Instant({ value, show = 'day' }: { value: string; show?: 'day' | 'moment' }) {
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const options = { language, timezone, now: now() }
  return (
    <time className="tabular" dateTime={value} title={formatAbsolute(value, options)}>
      {show === 'day' ? formatDay(value, options) : formatMoment(value, options)}
    </time>
  )
}

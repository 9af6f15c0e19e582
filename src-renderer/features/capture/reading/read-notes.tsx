import { ScanText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '#renderer/state/preferences'
import { now } from '#renderer/ui/values/clock'
import { formatDay } from '#renderer/ui/values/format'
import classes from './reading.module.css'
import type { DraftReading } from './use-receipt-readings'
import type { ReadValue } from './values'

/** What was read from the receipts of a draft, and what is offered: Tab in an empty field takes its offer. The row is there before anything is read, so that nothing moves. */
export function ReadNotes({
  reading: { isReading, isGivenUp, readFields, offers, accept },
  onShow,
}: {
  reading: DraftReading
  onShow: (field: string) => void
}) {
  const { t } = useTranslation('capture')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const shown = ({ field, text }: ReadValue) =>
    field === 'date' ? formatDay(`${text}T00:00:00Z`, { language, timezone, now: now() }) : text
  const labelOf = (field: string) => t([`capture:field.${field}`, `ui:field.${field}`, `expense:fields.${field}`])
  const firsts = new Set<string>()
  const isFirst = ({ field }: ReadValue) => !firsts.has(field) && firsts.add(field).has(field)
  return (
    <div className={classes.notes} role="status" aria-label={t('reading.title')}>
      <ScanText size={14} aria-hidden />
      {isReading && <span>{t('reading.waiting')}</span>}
      {isGivenUp && !isReading && <span>{t('reading.gaveUp')}</span>}
      {readFields.length > 0 && <span>{t('reading.readFrom')}</span>}
      {readFields.map((field) => (
        <button key={field} type="button" tabIndex={-1} className={classes.mark} onClick={() => onShow(field)} data-read={field}>
          {labelOf(field)}
        </button>
      ))}
      {offers.length > 0 && <span>{t('reading.offered')}</span>}
      {offers.map((offer) => (
        <button
          key={`${offer.field} ${offer.text}`}
          type="button"
          tabIndex={-1}
          className={classes.offer}
          onClick={() => accept(offer)}
          data-offer={offer.field}
        >
          {labelOf(offer.field)} <b className="tabular">{shown(offer)}</b> {isFirst(offer) && <kbd>Tab</kbd>}
        </button>
      ))}
    </div>
  )
}

import { ScanText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '#renderer/state/preferences'
import { now } from '#renderer/ui/values/clock'
import { formatDay } from '#renderer/ui/values/format'
import classes from './reading.module.css'
import type { DraftReading } from './use-receipt-readings'
import type { FilledField, ReadValue } from './values'

function useLabelOf() {
  const { t } = useTranslation('capture')
  return (field: FilledField) => t([`capture:field.${field}`, `ui:field.${field}`, `expense:fields.${field}`])
}

/** That receipts are being read, or could not be; screen readers hear what was read. The row is there before that, so that nothing moves. */
export function ReadingStatus({ reading: { isReading, isGivenUp, readFields, offers } }: { reading: DraftReading }) {
  const { t } = useTranslation('capture')
  const labelOf = useLabelOf()
  const heard = [
    ...(readFields.length > 0 ? [`${t('reading.readFrom')} ${readFields.map(labelOf).join(', ')}`] : []),
    ...(offers.length > 0 ? [`${t('reading.offered')} ${offers.map(({ field, text }) => `${labelOf(field)} ${text}`).join(', ')}`] : []),
  ]
  return (
    <div className={classes.status} role="status" aria-label={t('reading.title')}>
      {isReading && (
        <span>
          <ScanText size={14} aria-hidden /> {t('reading.waiting')}
        </span>
      )}
      {isGivenUp && !isReading && <span>{t('reading.gaveUp')}</span>}
      <span className="visually-hidden">{heard.join('. ')}</span>
    </div>
  )
}

/**
 * What was read for a field, or is offered, at the end of the line of its label. A click shows where it stands; Tab in the empty field takes the
 * first offer.
 */
export function FieldMarks({
  field,
  reading: { readFields, offers, accept },
  onShow,
}: {
  field: FilledField
  reading: DraftReading
  onShow: (field: string) => void
}) {
  const { t } = useTranslation('capture')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const label = useLabelOf()(field)
  const own = offers.filter((offer) => offer.field === field)
  const shown = ({ text }: ReadValue) => (field === 'date' ? formatDay(`${text}T00:00:00Z`, { language, timezone, now: now() }) : text)
  return (
    <>
      {readFields.includes(field) && (
        <button type="button" tabIndex={-1} className={classes.mark} onClick={() => onShow(field)} data-read={field}>
          <span className="visually-hidden">{label}: </span>
          {t('reading.read')}
        </button>
      )}
      {own.map((offer, at) => (
        <button
          key={offer.text}
          type="button"
          tabIndex={-1}
          className={classes.offer}
          onClick={() => accept(offer)}
          title={t('reading.take')}
          data-offer={field}
        >
          <span className="visually-hidden">{label} </span>
          <span className="tabular">{shown(offer)}</span> {at === 0 && <kbd>Tab</kbd>}
        </button>
      ))}
    </>
  )
}

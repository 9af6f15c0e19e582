import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import { cardFlagImagePath } from '#shared/domain/card-flags'
import { cardValidityOf } from '#shared/domain/card-validity'
import { dayOf } from '../../state/date-input'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/values/clock'
import classes from './cards.module.css'

const shownDigits = 4

/** A flag's picture with its name; the one of no known flag is worded in the user's language. */
export function Flag({ name }: { name: string }) {
  const { t } = useTranslation('cards')
  return (
    <span className={classes.flag}>
      <img src={cardFlagImagePath(name)} alt="" width={29} height={18} />
      <span>{name === 'Other' ? t('otherFlag') : name}</span>
    </span>
  )
}

/** The last digits of a number, and with `isWhole` its length too: masked, in groups of four from the end. */
export function MaskedNumber({ number, isWhole = false }: { number: string; isWhole?: boolean }) {
  const { t } = useTranslation('cards')
  const digits = number.slice(-shownDigits)
  const masked = number.replaceAll('*', '•').replace(/(.)(?=(.{4})+$)/g, '$1 ')
  return (
    <span className={`${classes.number} tabular`}>
      <span aria-hidden>{isWhole ? masked : `•••• ${digits}`}</span>
      <span className="visually-hidden">{t('endsIn', { digits })}</span>
    </span>
  )
}

/** The last month in which a card is good, marked when that is past or soon will be. */
export function ValidUntil({ card }: { card: CorporativeCard }) {
  const { t } = useTranslation('cards')
  const timezone = usePreferences((state) => state.timezone)
  const expiration = { month: card.expiration_month, year: card.expiration_year }
  const validity = cardValidityOf(expiration, dayOf(now(), timezone))
  return (
    <span className={classes.validity} data-validity={validity}>
      <span className="tabular">{card.expiration_date}</span>
      {validity !== 'valid' && (
        <span className={classes.warning}>
          <TriangleAlert size={12} aria-hidden /> {t(`validity.${validity}`)}
        </span>
      )}
    </span>
  )
}

import { useTranslation } from 'react-i18next'
import { usePreferences } from '../../state/preferences'
import { formatBareAmount, formatMoney, type Money } from './format'
import classes from '../parts.module.css'

/** An amount in major units with its currency; a different `claimed` amount is shown next to it, struck through. */
export function Amount({ amount, currency, claimed }: Money & { claimed?: Money }) {
  const { t } = useTranslation('ui')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const differs = claimed !== undefined && (claimed.amount !== amount || claimed.currency !== currency)
  const formatClaimed = claimed?.currency === currency ? formatBareAmount : formatMoney
  return (
    <span className={classes.amount}>
      {differs && (
        <>
          <span className="visually-hidden">{t('amount.claimed')} </span>
          <span className={classes.claimed}>{formatClaimed(claimed, { language, display })}</span>
          <span className="visually-hidden">{t('amount.approved')} </span>
        </>
      )}
      <span>{formatMoney({ amount, currency }, { language, display })}</span>
    </span>
  )
}

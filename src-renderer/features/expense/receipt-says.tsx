import { ScanText, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { fromMinor } from '#shared/domain/money'
import { formatTaxId } from '#shared/domain/tax-ids'
import type { PlaceOnPage } from '#shared/readings/reading'
import { Amount } from '../../ui/values/amount'
import { Instant } from '../../ui/values/instant'
import classes from './expense.module.css'
import type { Said, SaidField } from './said'

/** Shows a receipt, and a place on it; without one, the frame goes. */
export type ShowPlace = (index: number, place?: PlaceOnPage) => void

/** What receipts say of a field, below what is claimed; with the focus, or clicked, the place on the receipt is framed. */
export function ReceiptSays({ field, said, count, onShow }: { field: SaidField; said: readonly Said[]; count: number; onShow: ShowPlace }) {
  const { t } = useTranslation('expense')
  return said.map((one) => {
    const Icon = one.isOther ? TriangleAlert : ScanText
    const show = () => onShow(one.index, one.place)
    return (
      <button
        key={one.index}
        type="button"
        className={classes.said}
        data-said={field}
        data-other={one.isOther || undefined}
        title={t('said.show')}
        onClick={show}
        onFocus={show}
        onBlur={() => onShow(one.index)}
      >
        <Icon size={12} aria-hidden />
        <span>
          {count === 1 ? t('said.one') : t('said.numbered', { index: one.index + 1 })} <SaidValue field={field} said={one} />
        </span>
      </button>
    )
  })
}

function SaidValue({ field, said: { value, currency } }: { field: SaidField; said: Said }) {
  if (field === 'amount') return <Amount amount={fromMinor(Number(value), currency)} currency={currency} />
  if (field === 'occurred_at') return <Instant value={`${value}T00:00:00Z`} />
  return field === 'supplier_tax_id' ? formatTaxId(value) : value
}

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

/** What is said of a field, and what is claimed. */
type ReceiptSaysProps = { field: SaidField; said: readonly Said[]; count: number; claimed: string | number | null; onShow: ShowPlace }

/** Whether the one receipt says what is claimed, so that its words need not be repeated. Names are compared here: they never count as other. */
function isSame(field: SaidField, { isOther, value }: Said, claimed: string | number | null): boolean {
  if (claimed === null || claimed === '' || isOther) return false
  return field !== 'supplier_name' || String(claimed).toLowerCase() === value.toLowerCase()
}

/** What receipts say of a field, next to what is claimed; with the focus, or clicked, the place on the receipt is framed. */
export function ReceiptSays({ field, said, count, claimed, onShow }: ReceiptSaysProps) {
  const { t } = useTranslation('expense')
  return said.map((one) => {
    const Icon = one.isOther ? TriangleAlert : ScanText
    const agrees = count === 1 && isSame(field, one, claimed)
    const show = () => onShow(one.index, one.place)
    return (
      <button
        key={one.index}
        type="button"
        className={classes.said}
        data-said={field}
        data-other={one.isOther || undefined}
        data-agrees={agrees || undefined}
        title={t('said.show')}
        onClick={show}
        onFocus={show}
        onBlur={() => onShow(one.index)}
      >
        <Icon size={12} aria-hidden />
        {agrees && <span aria-hidden>{t('said.read')}</span>}
        <span className={agrees ? 'visually-hidden' : undefined}>
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

import { TextInput, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { parseAmountInput, parseFilterAmount, parseRateInput } from '#shared/domain/amount-text'
import { usePreferences } from '../../state/preferences'
import classes from './fields.module.css'
import { formatComparedAmount, formatMoney, formatRate } from '../values/format'

/** The interpretation of a field's text, below the field. */
export const understoodBeneath = (text: ReactNode): Partial<TextInputProps> => ({
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
  description: <span className={classes.understood}>{text}</span>,
  // A div: the text under a field may be more than a phrase.
  descriptionProps: { component: 'div' },
})

/** An amount being typed. `currency`: its currency; for a comparison, undefined for amounts of every currency. */
export type AmountText =
  | { readonly kind: 'amount' | 'rate'; readonly text: string; readonly currency: string }
  | { readonly kind: 'compared'; readonly text: string; readonly currency: string | undefined }

/** The interpretation of an amount while typing: `= BRL 1,000.00`, or its error. */
export function UnderstoodAmount(props: AmountText) {
  const { text, currency } = props
  const { t } = useTranslation('ui')
  const language = usePreferences((state) => state.language)
  if (text.trim() === '') return null
  if (props.kind === 'compared') {
    const decimal = parseFilterAmount(text, { currency, language })
    return decimal === undefined ? t('problem.not_a_number') : `= ${formatComparedAmount(decimal, { currency, language })}`
  }
  const writing = { currency: props.currency, language }
  const parsed = props.kind === 'rate' ? parseRateInput(text, writing) : parseAmountInput(text, writing)
  if (parsed.kind !== 'ok') return t(`problem.${parsed.kind === 'empty' ? 'blank' : parsed.kind}`)
  if (props.kind === 'rate') return `= ${formatRate({ amount: parsed.amount, currency: props.currency }, language)}`
  return `= ${formatMoney({ amount: parsed.amount, currency: props.currency }, { language, display: 'code' })}`
}

/** What a search is understood as where all of it is an amount with separators. */
export function SearchedAmount({ text }: { text: string }) {
  if (!/^\d+([.,]\d+)+$/.test(text.trim())) return null
  return <UnderstoodAmount kind="compared" text={text} currency={undefined} />
}

type AmountFieldProps = Omit<TextInputProps, 'value' | 'onChange' | 'description'> & {
  of: AmountText
  onText: (text: string) => void
  /** Shown below the field while it is empty. */
  emptyNote?: ReactNode
}

/** A field for an amount, with its interpretation below; `error` replaces it. */
export function AmountField({ of, onText, emptyNote, error, className = '', ...props }: AmountFieldProps) {
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      className={`tabular ${className}`}
      error={error}
      value={of.text}
      onChange={(event) => onText(event.currentTarget.value)}
      {...understoodBeneath(error ? null : of.text === '' ? emptyNote : <UnderstoodAmount {...of} />)}
      {...props}
    />
  )
}

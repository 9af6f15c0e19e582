import { Button, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseAmountInput, writeAmount } from '#shared/domain/amount-text'
import { fromMinor, parseAmount } from '#shared/domain/money'
import { splitOf } from '#shared/domain/statements/split'
import type { StatementLineRepresentation } from '../../api/statements/statements'
import { usePreferences } from '../../state/preferences'
import { AmountField } from '../../ui/form/amount-text'
import { Amount } from '../../ui/values/amount'
import classes from './statements.module.css'

/** A part of a line, in major units. */
export interface LinePart {
  readonly amount: number
  readonly description: string
}

const blank = { amount: '', description: '' }
const mostParts = 12

/** Splits a line over several expenses: the last part is what the others leave. */
export function SplitSheet({
  line,
  onClose,
  onSave,
}: {
  line: StatementLineRepresentation
  onClose: () => void
  onSave: (parts: readonly LinePart[]) => void
}) {
  const { t } = useTranslation('statements')
  const language = usePreferences((state) => state.language)
  const [typed, setTyped] = useState([blank, blank])
  const [isWrong, setWrong] = useState(false)
  const { currency } = line
  const minorOf = (text: string) => {
    const parsed = parseAmountInput(text, { currency, language })
    return parsed.kind === 'ok' ? parsed.amount_minor : Number.NaN
  }
  const whole = parseAmount(line.amount, currency)
  const sums =
    whole.kind === 'ok'
      ? splitOf(
          whole.amount_minor,
          typed.slice(0, -1).map(({ amount }) => minorOf(amount)),
        )
      : undefined
  const change = (at: number, part: Partial<typeof blank>) =>
    setTyped(typed.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <Modal opened onClose={onClose} closeButtonProps={{ 'aria-label': t('cancel') }} title={t('splitFor', { name: line.name })}>
      <form
        className={classes.panel}
        onSubmit={(event) => {
          event.preventDefault()
          setWrong(sums === undefined)
          if (sums) onSave(sums.map((sum, at) => ({ amount: fromMinor(sum, currency), description: typed[at]?.description.trim() ?? '' })))
        }}
      >
        <p className={classes.counts}>
          {t('splitHint')} <Amount amount={line.amount} currency={currency} />
        </p>
        {typed.map(({ amount, description }, at) => (
          <div key={at} className={classes.fields}>
            {at < typed.length - 1 ? (
              <AmountField
                label={t('splitAmount', { number: at + 1 })}
                of={{ kind: 'amount', text: amount, currency }}
                data-autofocus={at === 0 || undefined}
                onText={(text) => change(at, { amount: text })}
              />
            ) : (
              <TextInput
                label={t('splitRest')}
                readOnly
                value={sums ? writeAmount(fromMinor(sums.at(-1) ?? 0, currency), { currency, language }) : ''}
                error={isWrong && !sums && t('splitWrong')}
              />
            )}
            <TextInput
              label={t('splitDescription', { number: at + 1 })}
              value={description}
              maxLength={500}
              onChange={(event) => change(at, { description: event.currentTarget.value })}
            />
          </div>
        ))}
        <div className={classes.actions}>
          <Button type="submit">{t('splitSave', { count: typed.length })}</Button>
          <Button variant="default" disabled={typed.length >= mostParts} onClick={() => setTyped(typed.toSpliced(-1, 0, blank))}>
            {t('splitAdd')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

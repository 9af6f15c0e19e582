import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@mantine/core'
import type { Balance } from '#shared/contract/balances'
import { fromMinor, parseAmount } from '#shared/domain/money'
import { useRecordDevolution } from '../../api/advancements'
import { parseAmountInput, writeAmount } from '#shared/domain/amount-text'
import { usePreferences } from '../../state/preferences'
import { type SettlementForm, writeDay } from '../../state/settlement-form'
import { formatMoney } from '../../ui/values/format'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import { PaneForm } from '../../ui/form/pane-form'
import { SettlementFields, useSettlementWriting } from '../../records/settlement/settlement-fields'
import { offerUndo } from '../../state/undo-stack'
import { now } from '../../ui/values/clock'
import { settlementAreas, useRecordSettlement } from '../../records/settlement/use-record-settlement'
import { useSettlementForm } from '../../records/settlement/use-settlement-form'
import classes from './advances.module.css'

/** What becomes of the balance when this much of it is left. */
function restText(rest_minor: number): 'devolve.tooMuch' | 'devolve.nothingLeft' | 'devolve.left' {
  if (rest_minor === 0) return 'devolve.nothingLeft'
  return rest_minor > 0 ? 'devolve.left' : 'devolve.tooMuch'
}

const noChoices = { people: [], tags: [], isTagRestricted: false }

/** What a devolution is kept under: whose money it is, and in which currency. */
export function devolutionRecord({ payer, receiver, currency }: Pick<Balance, 'payer' | 'receiver' | 'currency'>): string {
  return `${payer.id} ${receiver.id} ${currency}`
}

/** Records money that was given back; all that is held, unless less is written. */
export function Devolution({ balance, onDone }: { balance: Balance; onDone: () => void }) {
  const { t } = useTranslation('advances')
  const writing = useSettlementWriting()
  const { language } = writing
  const display = usePreferences((state) => state.currencyDisplay)
  const { currency, receiver, payer } = balance
  const whole = writeAmount(balance.amount, { currency, language })
  const draft = useSettlementForm<SettlementForm>({
    form: 'devolution-new',
    record: devolutionRecord(balance),
    stored: { receiver_id: receiver.id, amount: whole, currency, date: writeDay(writing.today), description: '', tags: [] },
  })
  const record = useRecordDevolution()
  const send = useRecordSettlement(record, draft)
  const typed = parseAmountInput(draft.form.amount, { currency, language })
  const held = parseAmount(balance.amount, currency)
  const rest_minor = typed.kind === 'ok' && held.kind === 'ok' ? held.amount_minor - typed.amount_minor : undefined
  const isTooMuch = rest_minor !== undefined && rest_minor < 0
  const money = (amount: number) => formatMoney({ amount, currency }, { language, display })
  const [isAsked, setIsAsked] = useState(false)
  const submit = () => (isTooMuch ? setIsAsked(true) : save())
  const save = () => {
    setIsAsked(false)
    const values = draft.read()
    if (!values) return
    const { amount, date } = values
    const body = { payer: { id: payer.id, type: 'Organization' }, receiver: values.receiver, amount, currency, date }
    const sending = send(body, onDone)
    const label = t('devolve.done', { name: receiver.name, amount: money(amount) })
    const act = { area: settlementAreas.advancement, label, at: now().toISOString(), undo: null }
    offerUndo(act, { after: sending.then((stored) => stored !== undefined) })
  }
  const params = { name: receiver.name, amount: money(fromMinor(Math.abs(rest_minor ?? 0), currency)) }
  return (
    <div className={classes.foot}>
      {isAsked && (
        <ConfirmSheet
          title={t('devolve.tooMuch', params)}
          confirmLabel={t('devolve.anyway')}
          onConfirm={save}
          onCancel={() => setIsAsked(false)}
        >
          <p className={classes.hint}>{t('devolve.owed', params)}</p>
        </ConfirmSheet>
      )}
      <PaneForm
        draft={draft.draft}
        label={t('devolve.action')}
        error={draft.errors.form}
        isSending={record.isPending}
        submitLabel={rest_minor === 0 ? t('devolve.all') : t('devolve.action')}
        focus="[data-field=amount]"
        onSubmit={submit}
        onCancel={onDone}
      >
        <SettlementFields form={draft.form} onChange={draft.change} errors={draft.errors} choices={noChoices} isPartyFixed isPlain />
        <div className={classes.actions}>
          <p className={classes.hint} role="status">
            {rest_minor !== undefined && `${t(restText(rest_minor), params)} `}
            {t('devolve.final')}
          </p>
          {rest_minor !== 0 && (
            <Button variant="subtle" color="gray" onClick={() => draft.change({ amount: whole })}>
              {t('devolve.useAll')}
            </Button>
          )}
        </div>
      </PaneForm>
    </div>
  )
}

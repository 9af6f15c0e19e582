import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Advancement } from '#shared/contract/advancements'
import type { Reimbursement } from '#shared/contract/reimbursements'
import type { FormName } from '../../state/form-names'
import { Amount } from '../../ui/values/amount'
import { KeptEditNotice } from '../../ui/form/draft-notice'
import { FactList } from '../../ui/values/fact-list'
import { Instant } from '../../ui/values/instant'
import { KeyHint } from '../../ui/keys/key-hint'
import classes from './settlement-forms.module.css'

type SettlementFactsProps = { form: FormName; settlement: Advancement | Reimbursement; onEdit: (() => void) | undefined }

/** What an advancement or a reimbursement is, field by field. */
export function SettlementFacts({ form, settlement, onEdit }: SettlementFactsProps) {
  const { t } = useTranslation('ui')
  const { amount, currency, receiver, payer, date, description, tags, responsible_user } = settlement
  const nothing = <span className={classes.quiet}>{t('settlement.none')}</span>
  return (
    <>
      {onEdit && <KeptEditNotice form={form} record={settlement.id} onResume={onEdit} holdsActs />}
      {onEdit && (
        <div className={classes.actions}>
          <Button variant="default" onClick={onEdit} rightSection={<KeyHint keys="e" />}>
            {t('settlement.edit')}
          </Button>
        </div>
      )}
      <FactList
        facts={[
          { label: t('field.receiver'), value: receiver.name },
          { label: t('field.amount'), value: <Amount amount={amount} currency={currency} /> },
          { label: t('field.date'), value: <Instant value={date} /> },
          { label: t('field.description'), value: description ?? nothing },
          { label: t('field.tags'), value: tags.length > 0 ? tags.join(', ') : nothing },
          { label: t('settlement.payer'), value: payer.name },
          { label: t('settlement.responsible'), value: responsible_user.name },
        ]}
      />
    </>
  )
}

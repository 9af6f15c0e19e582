import { Button, Tooltip } from '@mantine/core'
import { Pencil, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import type { AttachmentRepresentation } from '#shared/contract/attachments'
import { localeOf } from '#shared/domain/locales'
import { purposeOf, titleOf } from '#shared/domain/suppliers/purchase'
import { plainFields } from '#shared/records/expense'
import { CardName } from '../../records/expense/card-field'
import { actOnSaved } from '../../state/open-forms'
import { failureText } from '../../api/failure-text'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import { Amount } from '../../ui/values/amount'
import { KeptEditNotice } from '../../ui/form/draft-notice'
import { Instant } from '../../ui/values/instant'
import { KeyHint } from '../../ui/keys/key-hint'
import { notifyDone, notifyFailure } from '../../state/notices'
import { usePreferences } from '../../state/preferences'
import { useExpenseReadings } from '../../api/readings/expense-readings'
import { AttachmentList } from './attachment-list'
import { Originals } from './originals'
import { EditForm } from './edit-form'
import type { ExpenseAccess } from './expense-access'
import { useDeleteExpense } from './expense-writes'
import { ReceiptSays, type ShowPlace } from './receipt-says'
import { type SaidField, saidOf } from './said'
import classes from './expense.module.css'

/** What the panel is given. */
export type DetailsPanelProps = {
  expense: Expense
  access: ExpenseAccess
  attachments: readonly AttachmentRepresentation[]
  isEditing: boolean
  onEdit: (isEditing: boolean) => void
  onShowReceipt: (index: number) => void
  onShowPlace: ShowPlace
  onClose: () => void
}

/** The fields of an expense, read or edited in place, and its attachments. */
export function DetailsPanel({ expense, access, attachments, isEditing, onEdit, onShowReceipt, onShowPlace, onClose }: DetailsPanelProps) {
  const canEdit = access.edit.kind === 'allowed'
  return (
    <>
      {isEditing && canEdit ? (
        <EditForm key={expense.id} expense={expense} access={access} onDone={() => onEdit(false)} />
      ) : (
        <>
          {canEdit && <KeptEditNotice form="expense-edit" record={expense.id} onResume={() => onEdit(true)} holdsActs />}
          <Fields {...{ expense, access, attachments, onShowPlace }} onEdit={() => onEdit(true)} />
        </>
      )}
      <AttachmentList expense={expense} attachments={attachments} canEdit={canEdit} onShow={onShowReceipt} />
      <Originals expense={expense} />
      {access.deletion.kind !== 'forbidden' && !isEditing && <DeleteExpense expense={expense} access={access} onClose={onClose} />}
    </>
  )
}

type FieldsProps = Pick<DetailsPanelProps, 'expense' | 'access' | 'attachments' | 'onShowPlace'> & { onEdit: () => void }

function Fields({ expense, access, attachments, onShowPlace, onEdit }: FieldsProps) {
  const { t } = useTranslation('expense')
  const readings = useExpenseReadings(expense.id, { isEnabled: attachments.length > 0 && expense.kind === 'monetary' })
  const said = saidOf(expense, attachments, readings)
  const purpose = purposeOf(expense)
  const saying = (field: SaidField) => (
    <ReceiptSays field={field} said={said.get(field) ?? []} count={attachments.length} onShow={onShowPlace} />
  )
  const reason = access.relation.is_closed
    ? t('edit.closed')
    : access.edit.kind === 'not_possible'
      ? t('edit.liquidated')
      : t(access.relation.is_receiver ? 'edit.notNow' : 'edit.notYours')
  return (
    <section className={classes.block} aria-labelledby="expense-fields">
      <div className={classes.blockHead}>
        <h3 id="expense-fields" className={classes.blockTitle}>
          {t('fields.title')}
        </h3>
        {access.edit.kind === 'allowed' ? (
          <Tooltip label={<KeyHint keys="e" />}>
            <Button id="expense-edit" variant="default" leftSection={<Pencil size={14} aria-hidden />} onClick={onEdit}>
              {t('edit.start')}
            </Button>
          </Tooltip>
        ) : (
          <span className={classes.small}>{reason}</span>
        )}
      </div>
      <dl className={classes.fields}>
        <Field name="description">{purpose !== '' && <span className={classes.fullText}>{purpose}</span>}</Field>
        <Field name="amount">
          <Amount amount={expense.amount} currency={expense.currency} />
          {saying('amount')}
        </Field>
        {expense.approved_amount !== null && expense.approved_amount_currency !== null && (
          <Field name="approved_amount">
            <Amount amount={expense.approved_amount} currency={expense.approved_amount_currency} />
          </Field>
        )}
        <Field name="occurred_at">
          <Instant value={expense.occurred_at} />
          {saying('occurred_at')}
        </Field>
        <Field name="receiver">{expense.receiver.name}</Field>
        <Field name="payer">{expense.payer.name}</Field>
        <Field name="tags">{expense.tags}</Field>
        {plainFields.map((name) => (
          <Field key={name} name={name} more={name === 'supplier_name' || name === 'supplier_tax_id' ? saying(name) : null}>
            {expense[name]}
          </Field>
        ))}
        {expense.kind === 'distance' && <DistanceFields expense={expense} />}
        <Field name="liquidate_through_advancement">
          {t(expense.liquidate_through_advancement ? 'fields.throughAdvancement' : 'fields.throughReimbursement')}
        </Field>
        {expense.responsible_user && <Field name="responsible_user">{expense.responsible_user.name}</Field>}
        {expense.status === 'noncompliant' && <Field name="ignore_noncompliant">{t(expense.ignore_noncompliant ? 'yes' : 'no')}</Field>}
        {expense.reimbursement_id !== null && <Field name="reimbursement_id">#{expense.reimbursement_id}</Field>}
        {expense.pre_expense_id !== null && <Field name="pre_expense_id">#{expense.pre_expense_id}</Field>}
        {expense.corporative_card_id !== null && (
          <Field name="corporative_card_id">
            <CardName organizationId={expense.payer.id} id={expense.corporative_card_id} />
          </Field>
        )}
        <Field name="created_at">
          <Instant value={expense.created_at} show="moment" />
        </Field>
      </dl>
    </section>
  )
}

function DistanceFields({ expense }: { expense: Expense }) {
  const { t } = useTranslation('expense')
  const language = usePreferences((state) => state.language)
  const { distance, distance_kind, origin, destination, travel_time } = expense
  return (
    <>
      <Field name="distance">
        {distance != null && `${new Intl.NumberFormat(localeOf(language).tag).format(distance)} ${distance_kind ?? ''}`}
      </Field>
      <Field name="origin">{origin}</Field>
      <Field name="destination">{destination}</Field>
      {travel_time != null && <Field name="travel_time">{t('fields.minutes', { count: travel_time })}</Field>}
    </>
  )
}

/** `more`: what follows the value, or its absence. */
function Field({ name, children, more }: { name: string; children: ReactNode; more?: ReactNode }) {
  const { t } = useTranslation('expense')
  const isEmpty = children === null || children === undefined || children === '' || children === false
  return (
    <div className={classes.field}>
      <dt>{t(`fields.${name}`)}</dt>
      <dd className="tabular">
        {isEmpty ? <span className={classes.quiet}>{t('none')}</span> : children}
        {more}
      </dd>
    </div>
  )
}

function DeleteExpense({ expense, access, onClose }: { expense: Expense; access: ExpenseAccess; onClose: () => void }) {
  const { t } = useTranslation('expense')
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useDeleteExpense()
  if (access.deletion.kind === 'not_possible') {
    if (access.relation.is_closed) return <p className={classes.hint}>{t('delete.closed')}</p>
    return <p className={classes.hint}>{t(expense.status === 'liquidated' ? 'delete.liquidated' : 'delete.inUse')}</p>
  }
  const run = () =>
    mutate(expense, {
      onSuccess: () => {
        notifyDone(t('delete.done'))
        onClose()
      },
      onError: (error) => {
        setAsking(false)
        notifyFailure({ title: t('delete.failed'), message: failureText(error) })
      },
    })
  return (
    <div>
      <Button
        variant="default"
        leftSection={<Trash2 size={14} aria-hidden />}
        onClick={() => actOnSaved(t('delete.action'), () => setAsking(true))}
      >
        {t('delete.action')}
      </Button>
      {isAsking && (
        <ConfirmSheet
          title={t('delete.title')}
          confirmLabel={t('delete.action')}
          isDanger
          onConfirm={() => {
            if (!isPending) run()
          }}
          onCancel={() => setAsking(false)}
        >
          <p className={classes.sheetText}>{t('delete.text', { name: titleOf(expense) ?? `#${expense.id}` })}</p>
        </ConfirmSheet>
      )}
    </div>
  )
}

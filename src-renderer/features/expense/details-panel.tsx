import { Button } from '@mantine/core'
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
import { notifyDone, notifyFailure } from '../../state/notices'
import { usePreferences } from '../../state/preferences'
import { ActKey } from './act-key'
import { AttachmentList } from './attachment-list'
import { Originals } from './originals'
import { EditForm } from './edit-form'
import type { ExpenseAccess } from './expense-access'
import { useDeleteExpense } from './expense-writes'
import { ReceiptSays, type ShowPlace } from './receipt-says'
import type { Said, SaidField } from './said'
import classes from './expense.module.css'

/** What the panel is given. */
export type DetailsPanelProps = {
  expense: Expense
  access: ExpenseAccess
  attachments: readonly AttachmentRepresentation[]
  isEditing: boolean
  onShowReceipt: (index: number) => void
  onClose: () => void
}

/** What is seldom asked of an expense: its receipts as files, how it is settled and recorded, and the way to delete it. */
export function DetailsPanel({ expense, access, attachments, isEditing, onShowReceipt, onClose }: DetailsPanelProps) {
  const { t } = useTranslation('expense')
  return (
    <>
      <AttachmentList expense={expense} attachments={attachments} canEdit={access.edit.kind === 'allowed'} onShow={onShowReceipt} />
      <dl className={classes.fields}>
        <Field name="receiver">{expense.receiver.name}</Field>
        <Field name="payer">{expense.payer.name}</Field>
        <Field name="liquidate_through_advancement">
          {t(expense.liquidate_through_advancement ? 'fields.throughAdvancement' : 'fields.throughReimbursement')}
        </Field>
        <Field name="responsible_user">{expense.responsible_user?.name}</Field>
        {expense.status === 'noncompliant' && <Field name="ignore_noncompliant">{t(expense.ignore_noncompliant ? 'yes' : 'no')}</Field>}
        <Field name="reimbursement_id">{expense.reimbursement_id !== null && `#${expense.reimbursement_id}`}</Field>
        <Field name="pre_expense_id">{expense.pre_expense_id !== null && `#${expense.pre_expense_id}`}</Field>
        <Field name="created_at">
          <Instant value={expense.created_at} show="moment" />
        </Field>
      </dl>
      <Originals expense={expense} />
      {access.deletion.kind !== 'forbidden' && !isEditing && <DeleteExpense expense={expense} access={access} onClose={onClose} />}
    </>
  )
}

/** What the facts are given. */
export type FactsProps = Pick<DetailsPanelProps, 'expense' | 'access' | 'attachments' | 'isEditing'> & {
  onEdit: (isEditing: boolean) => void
  said: ReadonlyMap<SaidField, readonly Said[]>
  onShowPlace: ShowPlace
}

/** What an expense claims, read or edited in place, next to what its receipts say. */
export function ExpenseFacts({ expense, access, attachments, isEditing, said, onEdit, onShowPlace }: FactsProps) {
  const canEdit = access.edit.kind === 'allowed'
  if (isEditing && canEdit) return <EditForm key={expense.id} expense={expense} access={access} onDone={() => onEdit(false)} />
  return (
    <>
      {canEdit && <KeptEditNotice form="expense-edit" record={expense.id} onResume={() => onEdit(true)} holdsActs />}
      <Fields {...{ expense, attachments, said, onShowPlace }} />
    </>
  )
}

function Fields({ expense, attachments, said, onShowPlace }: Pick<FactsProps, 'expense' | 'attachments' | 'said' | 'onShowPlace'>) {
  const { t } = useTranslation('expense')
  const purpose = purposeOf(expense)
  const saying = (field: SaidField) => {
    const all = said.get(field)
    return all !== undefined && all.length > 0 ? (
      <ReceiptSays field={field} said={all} count={attachments.length} claimed={expense[field]} onShow={onShowPlace} />
    ) : undefined
  }
  return (
    <section aria-labelledby="expense-fields">
      <h3 id="expense-fields" className="visually-hidden">
        {t('fields.title')}
      </h3>
      <dl className={classes.fields}>
        <Field name="description">{purpose !== '' && <span className={classes.fullText}>{purpose}</span>}</Field>
        <Field name="amount" more={saying('amount')}>
          <Amount amount={expense.amount} currency={expense.currency} />
        </Field>
        {expense.approved_amount !== null && expense.approved_amount_currency !== null && (
          <Field name="approved_amount">
            <Amount amount={expense.approved_amount} currency={expense.approved_amount_currency} />
          </Field>
        )}
        <Field name="occurred_at" more={saying('occurred_at')}>
          <Instant value={expense.occurred_at} />
        </Field>
        <Field name="tags">{expense.tags}</Field>
        {plainFields.map((name) => {
          const more = name === 'supplier_name' || name === 'supplier_tax_id' ? saying(name) : undefined
          return (
            <Field key={name} name={name} more={more}>
              {expense[name] || (more && <span className={classes.quiet}>{t('none')}</span>)}
            </Field>
          )
        })}
        {expense.kind === 'distance' && <DistanceFields expense={expense} />}
        {expense.corporative_card_id !== null && (
          <Field name="corporative_card_id">
            <CardName organizationId={expense.payer.id} id={expense.corporative_card_id} />
          </Field>
        )}
      </dl>
    </section>
  )
}

/** Begins to edit an expense, or says why that is not possible. */
export function EditAct({ access, onEdit }: { access: ExpenseAccess; onEdit: () => void }) {
  const { t } = useTranslation('expense')
  if (access.edit.kind === 'allowed')
    return (
      <Button id="expense-edit" variant="default" title={t('edit.start')} onClick={onEdit}>
        <Pencil size={14} aria-hidden />
        <span className="visually-hidden">{t('edit.start')}</span>
        <ActKey keys="e" />
      </Button>
    )
  const reason = access.relation.is_closed
    ? 'edit.closed'
    : access.edit.kind === 'not_possible'
      ? 'edit.liquidated'
      : access.relation.is_receiver
        ? 'edit.notNow'
        : 'edit.notYours'
  return <span className={classes.actReason}>{t(reason)}</span>
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

/** A fact with its name, or nothing where there is none. `more`: what follows the value. */
function Field({ name, children, more }: { name: string; children: ReactNode; more?: ReactNode }) {
  const { t } = useTranslation('expense')
  if (children === null || children === undefined || children === '' || children === false) return null
  return (
    <div className={classes.field}>
      <dt>{t(`fields.${name}`)}</dt>
      <dd className="tabular">
        {children}
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

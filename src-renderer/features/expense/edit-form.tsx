import { Button } from '@mantine/core'
import { useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useQueryClient } from '@tanstack/react-query'
import type { Expense } from '#shared/contract/expenses'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useSession } from '../../api/session'
import { dayOf } from '../../state/date-input'
import { changedFields, rebase } from '../../state/form-edit'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/values/clock'
import { DraftRepeats } from '../../records/expense/draft-repeats'
import { DraftVerdict, lacksReason, useVerdict, wantsReason } from '../../records/expense/draft-verdict'
import { useTakesBack } from '../../records/expense/taken-back'
import { useStoredInvoices } from '../../records/expense/stored-invoices'
import { readExpense } from '../../records/expense/use-expense'
import { CancelButton, DraftForm } from '../../ui/form/draft-form'
import type { FieldWords } from '../../ui/form/draft-notice'
import { FutureDay, useFutureDay } from '../../ui/form/future-day'
import { KeyHint } from '../../ui/keys/key-hint'
import { notifyDone } from '../../state/notices'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { ConflictChooser } from './conflict-chooser'
import { EditFields, type FormErrors } from './edit-fields'
import type { ExpenseAccess } from './expense-access'
import { findConflicts, readForm, toForm, type ExpenseForm, type FieldConflict, type Writing } from './expense-form'
import { useUpdateExpense } from './expense-writes'
import { useFocusBack } from '../../ui/form/use-focus-back'
import classes from './expense.module.css'

function useWriting(): Writing {
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  return { language, timezone, today: dayOf(now(), timezone) }
}

/** Edits an expense in place: it sends only the changes, and shows concurrent changes by others to choose from. */
export function EditForm({ expense, access, onDone }: { expense: Expense; access: ExpenseAccess; onDone: () => void }) {
  const { t } = useTranslation(['expense', 'status'])
  const writing = useWriting()
  const draft = useFormDraft({ form: 'expense-edit', record: expense.id, stored: toForm(expense, writing) })
  const form = draft.value
  const [errors, setErrors] = useState<FormErrors>({})
  const [conflicts, setConflicts] = useState<readonly FieldConflict[]>([])
  const formRef = useRef<HTMLFormElement>(null)
  useFocusBack({ partRef: formRef, fallback: '#expense-edit' })
  const save = useSave({
    writing,
    onDone: () => {
      draft.done()
      onDone()
    },
    setErrors,
    onConflict: setConflicts,
  })
  const futureDay = useFutureDay(form.occurred_at, toForm(expense, writing).occurred_at)
  const invoices = useStoredInvoices(expense.attachments)
  const verdict = useVerdict(expense.payer.id, {
    ...{ ...form, day: form.occurred_at, receipts: expense.attachments_count, kind: expense.kind },
    ...{ distance_kind: form.distance_kind === 'mi' ? 'mi' : 'km', receiver_id: Number(form.receiver), stored: expense },
    card_id: form.corporative_card_id === '' ? null : Number(form.corporative_card_id),
    invoices,
  })
  const takesBack = useTakesBack(expense.payer.id)
  const isTakenBack = takesBack(expense, { names: changedFields(toForm(expense, writing), form), tags: form.tags })
  const { data: session } = useSession()
  const isOwn = expense.receiver.id === session?.user.id
  const submit = () => {
    // Others who edit it cannot know why.
    if (isOwn && lacksReason(verdict)) return setErrors({ justification: t('errors.justification') })
    if (!futureDay.ask()) save.run(expense, form)
  }
  const change = (changes: Partial<ExpenseForm>) => {
    draft.change(changes)
    setErrors((before) => ({ ...before, ...Object.fromEntries(Object.keys(changes).map((name) => [name, undefined])) }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    formRef.current?.requestSubmit()
    event.preventDefault()
  }
  if (conflicts.length > 0) {
    return (
      <ConflictChooser
        conflicts={conflicts}
        onCancel={() => {
          draft.discard()
          onDone()
        }}
        onChoose={(chosen) => {
          draft.change(chosen)
          setConflicts([])
          save.run(expense, { ...form, ...chosen })
        }}
      />
    )
  }
  return (
    <DraftForm
      draft={draft}
      words={fieldWords(t, expense)}
      formRef={formRef}
      className={classes.form}
      aria-label={t('edit.title')}
      onKeyDown={onKeyDown}
      onSubmit={submit}
      onLeave={onDone}
    >
      <EditFields
        expense={expense}
        form={form}
        errors={errors}
        writing={writing}
        canNameReceiver={access.canNameReceiver}
        wantsReason={wantsReason(verdict)}
        onChange={change}
        beneathDay={
          <FutureDay
            question={futureDay}
            onKeep={() => {
              futureDay.keep()
              if (futureDay.isAsked) save.run(expense, form)
            }}
          />
        }
      />
      {errors.form && (
        <p className={classes.moveError} role="alert">
          {errors.form}
        </p>
      )}
      {isTakenBack && (
        <p className={classes.takenBack} role="status">
          {t('edit.takenBack', { status: t(`status:${expense.status}`) })}
        </p>
      )}
      <div className={classes.formActions}>
        <CancelButton draft={draft} onLeave={onDone} />
        <Button type="submit" disabled={save.isSaving} rightSection={<KeyHint keys="enter" />}>
          {t('save')}
        </Button>
      </div>
      <DraftRepeats
        organizationId={expense.payer.id}
        draft={{
          ...form,
          kind: expense.kind,
          day: form.occurred_at,
          receiver_id: Number(form.receiver),
          ...{ files: [], invoice_keys: [], capture_ids: [], except_id: expense.id },
        }}
      />
      <DraftVerdict verdict={verdict} booking={{ organizationId: expense.payer.id, day: form.occurred_at, stored: expense }} />
    </DraftForm>
  )
}

/** The names of the fields, where others changed them meanwhile. */
function fieldWords(t: (key: string) => string, { receiver }: Expense): FieldWords {
  return {
    name: (field) => t(`fields.${field}`),
    value: (field, value) => (field === 'receiver' && value === String(receiver.id) ? receiver.name : undefined),
  }
}

type SaveOptions = {
  writing: Writing
  onDone: () => void
  setErrors: (errors: FormErrors) => void
  /** Where others changed the same fields meanwhile. */
  onConflict: (conflicts: readonly FieldConflict[]) => void
}

function useSave({ writing, onDone, setErrors, onConflict }: SaveOptions) {
  const { t } = useTranslation('expense')
  const queryClient = useQueryClient()
  const { mutateAsync, isPending } = useUpdateExpense()
  const save = async (seen: Expense, form: ExpenseForm): Promise<void> => {
    const before = toForm(seen, writing)
    const read = readForm(before, form, writing)
    if (read.kind === 'invalid') {
      return setErrors(Object.fromEntries(Object.entries(read.errors).map(([name, key]) => [name, t(`errors.${key}`)])))
    }
    if (Object.keys(read.changes).length === 0) return onDone()
    try {
      await mutateAsync({ seen, changes: read.changes })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) return setErrors(toErrors(error, before))
      const theirs = await readExpense(queryClient, seen.id)
      const forms = { before, mine: form, theirs: toForm(theirs, writing) }
      const conflicts = findConflicts(forms)
      if (conflicts.length > 0) return onConflict(conflicts)
      return save(theirs, rebase(forms))
    }
    notifyDone(t('edit.saved'))
    onDone()
  }
  const toErrors = (error: unknown, before: ExpenseForm): FormErrors => {
    const fields = error instanceof ApiError ? Object.entries(error.fields) : []
    const known = fields.filter(([name]) => name in before).map(([name, texts]) => [name, texts.join(' ')] as const)
    return known.length > 0 ? Object.fromEntries(known) : { form: failureText(error) }
  }
  const run = (seen: Expense, form: ExpenseForm) => void save(seen, form).catch((error: unknown) => setErrors({ form: failureText(error) }))
  return { run, isSaving: isPending }
}

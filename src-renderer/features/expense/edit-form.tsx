import { Button } from '@mantine/core'
import { useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useQueryClient } from '@tanstack/react-query'
import { expenseRoutes, type Expense } from '#shared/contract/expenses'
import { ApiError, call } from '../../api/client'
import { expenseKeys } from '../../api/expenses'
import { failureText } from '../../api/failure-text'
import { dayOf } from '../../state/date-input'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/clock'
import { KeyHint } from '../../ui/key-hint'
import { notifyDone } from '../../state/notices'
import { ConflictChooser } from './conflict-chooser'
import { EditFields } from './edit-fields'
import type { ExpenseAccess } from './expense-access'
import {
  changedFields,
  findConflicts,
  readForm,
  rebase,
  toForm,
  type ExpenseField,
  type ExpenseForm,
  type FieldConflict,
  type Writing,
} from './expense-form'
import { useUpdateExpense } from './expense-writes'
import { useFocusBack } from '../../ui/use-focus-back'
import classes from './expense.module.css'

/** What is wrong, by field; `form` is what belongs to none. */
export type FormErrors = Readonly<Partial<Record<ExpenseField | 'form', string>>>

function useWriting(): Writing {
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  return { language, timezone, today: dayOf(now(), timezone) }
}

/** Edits an expense in place: what changed is sent, and only that; what somebody else changed meanwhile is shown to choose from. */
export function EditForm({ expense, access, onDone }: { expense: Expense; access: ExpenseAccess; onDone: () => void }) {
  const { t } = useTranslation('expense')
  const writing = useWriting()
  const [base, setBase] = useState(expense)
  const [form, setForm] = useState(() => toForm(expense, writing))
  const [errors, setErrors] = useState<FormErrors>({})
  const [conflicts, setConflicts] = useState<readonly FieldConflict[]>([])
  const cancelRef = useRef<HTMLButtonElement>(null)
  useFocusBack(cancelRef, 'expense-edit')
  const save = useSave({
    writing,
    onDone,
    setErrors,
    onConflict: (theirs, mine, found) => {
      setBase(theirs)
      setForm(mine)
      setConflicts(found)
    },
  })
  const isDirty = changedFields(toForm(base, writing), form).length > 0
  const change = (changes: Partial<ExpenseForm>) => {
    setForm((before) => ({ ...before, ...changes }))
    setErrors((before) => ({ ...before, ...Object.fromEntries(Object.keys(changes).map((name) => [name, undefined])) }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.defaultPrevented) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save.run(base, form)
    else if (event.key === 'Escape' && isDirty) cancelRef.current?.focus()
    else if (event.key === 'Escape') onDone()
    else return
    event.preventDefault()
  }
  if (conflicts.length > 0) {
    return (
      <ConflictChooser
        conflicts={conflicts}
        onCancel={onDone}
        onChoose={(chosen) => {
          const next = { ...form, ...chosen }
          setForm(next)
          setConflicts([])
          save.run(base, next)
        }}
      />
    )
  }
  return (
    <form
      className={classes.form}
      aria-label={t('edit.title')}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        save.run(base, form)
      }}
      noValidate
    >
      <EditFields
        expense={base}
        form={form}
        errors={errors}
        writing={writing}
        canNameReceiver={access.canNameReceiver}
        onChange={change}
      />
      {errors.form && (
        <p className={classes.moveError} role="alert">
          {errors.form}
        </p>
      )}
      <div className={classes.formActions}>
        <Button ref={cancelRef} variant="default" onClick={onDone} rightSection={isDirty ? undefined : <KeyHint keys="escape" />}>
          {isDirty ? t('edit.discard') : t('ui:cancel')}
        </Button>
        <Button type="submit" disabled={save.isSaving} rightSection={<KeyHint keys="enter" />}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}

type SaveOptions = {
  writing: Writing
  onDone: () => void
  setErrors: (errors: FormErrors) => void
  /** The record as it is now, one's own changes on top of it, and where both changed the same. */
  onConflict: (theirs: Expense, mine: ExpenseForm, conflicts: readonly FieldConflict[]) => void
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
      const theirs = await queryClient.fetchQuery({
        queryKey: expenseKeys.one(seen.id),
        queryFn: () => call(expenseRoutes.show, { params: { id: seen.id } }),
        staleTime: 0,
      })
      const forms = { before, mine: form, theirs: toForm(theirs, writing) }
      const conflicts = findConflicts(forms)
      if (conflicts.length > 0) return onConflict(theirs, rebase(forms), conflicts)
      return save(theirs, rebase(forms))
    }
    notifyDone(t('edit.saved'))
    onDone()
  }
  const toErrors = (error: unknown, before: ExpenseForm): FormErrors => {
    const fields = error instanceof ApiError ? Object.entries(error.fields) : []
    const known = fields.filter(([name]) => name in before).map(([name, texts]) => [name, texts.join(', ')] as const)
    return known.length > 0 ? Object.fromEntries(known) : { form: failureText(error) }
  }
  const run = (seen: Expense, form: ExpenseForm) =>
    void save(seen, form).catch((error: unknown) => setErrors({ form: failureText(error) }))
  return { run, isSaving: isPending }
}

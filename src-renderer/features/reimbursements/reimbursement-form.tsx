import { Button } from '@mantine/core'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Reimbursement } from '#shared/contract/reimbursements'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useUpdateReimbursement } from '../../api/reimbursements'
import { useSettlementChoices } from '../../state/settlement-choices'
import { changedValues, toSettlementForm } from '../../state/settlement-form'
import { KeyHint } from '../../ui/key-hint'
import { SettlementFields, useSettlementWriting } from '../../ui/settlement-fields'
import { useShortcuts } from '../../ui/shortcuts'
import { notifyDone } from '../../ui/toast'
import { useSettlementForm } from '../../ui/use-settlement-form'
import classes from './reimbursements.module.css'

/** Edits a reimbursement in place. One that paid expenses keeps its receiver and currency: they are the expenses'. */
export function ReimbursementForm({ reimbursement, onDone }: { reimbursement: Reimbursement; onDone: () => void }) {
  const { t } = useTranslation('reimbursements')
  const formRef = useRef<HTMLFormElement>(null)
  const choices = useSettlementChoices()
  const writing = useSettlementWriting()
  const [before] = useState(() => toSettlementForm(reimbursement, writing))
  const draft = useSettlementForm(() => before)
  const { mutate, isPending } = useUpdateReimbursement()
  useEffect(() => formRef.current?.querySelector<HTMLElement>('[data-field=amount]')?.focus(), [])
  useShortcuts({ scope: 'reimbursement-form', title: t('edit.title') }, [
    { id: 'cancel', keys: 'escape', label: t('ui:cancel'), run: onDone },
  ])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const values = isPending ? undefined : draft.read()
    if (!values) return
    const changes = changedValues(before, draft.form, values)
    if (Object.keys(changes).length === 0) return onDone()
    mutate(
      { seen: reimbursement, changes },
      {
        onSuccess: () => {
          notifyDone(t('edit.done'))
          onDone()
        },
        onError: (error) => draft.refuse(error instanceof ApiError ? error.fields : {}, failureText(error)),
      },
    )
  }
  return (
    <form ref={formRef} className={classes.editForm} onSubmit={submit} aria-label={t('edit.title')}>
      <SettlementFields
        form={draft.form}
        onChange={draft.change}
        errors={draft.errors}
        choices={choices}
        receiverLabel={t('column.receiver')}
        isPartyFixed={reimbursement.expenses.length > 0}
      />
      {draft.errors.form && (
        <p className={classes.error} role="alert">
          {draft.errors.form}
        </p>
      )}
      <div className={classes.actions}>
        <Button variant="default" onClick={onDone} rightSection={<KeyHint keys="escape" />}>
          {t('ui:cancel')}
        </Button>
        <Button type="submit" loading={isPending} rightSection={<KeyHint keys="enter" />}>
          {t('edit.save')}
        </Button>
      </div>
    </form>
  )
}

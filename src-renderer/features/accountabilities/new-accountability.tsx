import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { may } from '#shared/domain/permissions'
import type { Role } from '#shared/domain/roles'
import { accountabilityKeys, createAccountability, readJoinable } from '../../api/accountabilities'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useMembers } from '../../api/organization-lists'
import { readWhole } from '../../api/pages'
import { newKey } from '../../ui/values/clock'
import { PersonSelect } from '../../ui/form/fields'
import { CancelButton, DraftForm } from '../../ui/form/draft-form'
import { notifyDone } from '../../state/notices'
import { type FormDraft, useFormDraft } from '../../ui/form/use-form-draft'
import classes from './accountabilities.module.css'
import { type Chosen, ChosenCount, ExpensePicker } from './expense-picker'
import { sumMoney } from '../../ui/values/sums'
import { Totals } from './totals'

type AccountabilityWriting = {
  readonly title: string
  readonly description: string
  readonly receiver_id: number
  readonly expense_ids: readonly number[]
}

/** A new accountability: its title, its receiver, and its expenses. */
export function NewAccountability({
  payer_id,
  role,
  user,
}: {
  payer_id: number
  role: Role
  user: { readonly id: number; readonly name: string }
}) {
  const { t } = useTranslation('accountabilities')
  const [, navigate] = useLocation()
  const draft = useFormDraft<AccountabilityWriting>({
    form: 'accountability-new',
    record: payer_id,
    stored: { title: '', description: '', receiver_id: user.id, expense_ids: [] },
  })
  const { title, description, receiver_id: receiverId } = draft.value
  const { chosen, isReading, choose } = useChosen(draft, payer_id)
  const [key] = useState(newKey)
  const canName = may('accountabilities.create_for_others', { role })
  const members = useMembers(canName ? payer_id : null)
  const leave = () => navigate('/accountabilities')
  const create = useMutation({
    mutationFn: () => createAccountability({ payer_id, receiver_id: receiverId, title, description, expense_ids: [...chosen.keys()] }, key),
    onSuccess: (made) => {
      draft.done()
      notifyDone(t('created', { title: made.title }))
      navigate(`/accountabilities/${made.id}`, { replace: true })
    },
  })
  const submit = () => {
    if (title.trim() !== '' && !isReading) create.mutate()
  }
  const fields = create.error instanceof ApiError ? create.error.fields : {}
  const rest = create.error && !fields.title && !fields.receiver ? (fields.expense_ids?.join(' ') ?? failureText(create.error)) : null
  return (
    <DraftForm draft={draft} className={classes.screen} aria-label={t('new')} onSubmit={submit} onLeave={leave}>
      <div className={classes.bar}>
        <h1 className={classes.heading}>{t('new')}</h1>
        <span className={classes.spring} />
        <CancelButton draft={draft} onLeave={leave} />
      </div>
      <div className={classes.fields}>
        <TextInput
          label={t('field.title')}
          placeholder={t('field.titleHint')}
          value={title}
          maxLength={255}
          error={fields.title?.join(' ')}
          onChange={(event) => draft.change({ title: event.currentTarget.value })}
          data-autofocus
          autoFocus
        />
        {canName && (
          <PersonSelect
            label={t('field.receiver')}
            people={members.length > 0 ? members : [user]}
            value={receiverId}
            error={fields.receiver?.join(' ')}
            onChange={(id) => draft.change({ receiver_id: id, expense_ids: [] })}
          />
        )}
        <TextInput
          label={t('ui:field.description')}
          value={description}
          onChange={(event) => draft.change({ description: event.currentTarget.value })}
        />
      </div>
      <div className={classes.picker}>
        <ExpensePicker key={receiverId} parties={{ payer_id, receiver_id: receiverId }} chosen={chosen} onChosen={choose} view="choosing" />
      </div>
      <div className={classes.foot}>
        <ChosenCount count={chosen.size} />
        <Totals totals={sumMoney(chosen.values())} />
        {rest && (
          <span className={classes.failure} role="alert">
            {rest}
          </span>
        )}
        <span className={classes.spring} />
        <Button type="submit" loading={create.isPending} disabled={title.trim() === '' || isReading}>
          {t('create')}
        </Button>
      </div>
    </DraftForm>
  )
}

/** The chosen expenses of a draft. Those of a kept one are read first; expenses that are in an accountability by now are left out. */
function useChosen({ value, change }: FormDraft<AccountabilityWriting>, payer_id: number) {
  const { receiver_id, expense_ids } = value
  const [seen, setSeen] = useState<Chosen>(new Map())
  const isUnknown = expense_ids.some((id) => !seen.has(id))
  const parties = { payer_id, receiver_id }
  const { data = [], isLoading } = useQuery({
    queryKey: [...accountabilityKeys.joinable(parties), 'chosen'],
    queryFn: () => readWhole((page) => readJoinable(parties, page)),
    enabled: isUnknown,
  })
  const known = new Map([...data.map((expense) => [expense.id, expense] as const), ...seen])
  const chosen: Chosen = new Map(
    expense_ids.flatMap((id) => {
      const expense = known.get(id)
      return expense ? [[id, expense] as const] : []
    }),
  )
  const choose = (next: Chosen) => {
    setSeen((before) => new Map([...before, ...next]))
    change({ expense_ids: [...next.keys()] })
  }
  return { chosen, isReading: isLoading, choose }
}

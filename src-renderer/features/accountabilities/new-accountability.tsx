import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { may } from '#shared/domain/permissions'
import type { Role } from '#shared/domain/roles'
import { accountabilityKeys, createAccountability } from '../../api/accountabilities'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useMembers } from '../../api/organization-lists'
import { newKey } from '../../ui/clock'
import { PersonSelect } from '../../ui/fields'
import { KeyHint } from '../../ui/key-hint'
import { useShortcuts } from '../../ui/shortcuts'
import { notifyDone } from '../../state/notices'
import classes from './accountabilities.module.css'
import { type Chosen, ExpensePicker } from './expense-picker'
import { Totals, totalsOf } from './totals'

/** A new accountability: what it is called, whose it is, and which of their expenses stand in it. */
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
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [title, setTitle] = useState('')
  const [description, setDescription] = useState('')
  const [receiverId, setReceiverId] = useState(user.id)
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const [key] = useState(newKey)
  const canName = may('accountabilities.create_for_others', { role })
  const members = useMembers(canName ? payer_id : null)
  const isUntouched = title === '' && description === '' && chosen.size === 0
  const leave = () => navigate('/accountabilities')
  const create = useMutation({
    mutationFn: () =>
      createAccountability({ payer_id, receiver_id: receiverId, title, description, expense_ids: [...chosen.keys()] }, key),
    onSuccess: (made) => {
      void client.invalidateQueries({ queryKey: accountabilityKeys.all })
      notifyDone(t('created', { title: made.title }))
      navigate(`/accountabilities/${made.id}`, { replace: true })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() !== '') create.mutate()
  }
  useShortcuts({ scope: 'accountability-new', title: t('new') }, [
    // What was entered is not to be lost by a key.
    { id: 'leave', keys: 'escape', label: t('toBoard'), run: leave, when: () => isUntouched },
  ])
  const fields = create.error instanceof ApiError ? create.error.fields : {}
  const rest =
    create.error && !fields.title && !fields.receiver ? (fields.expense_ids?.join(', ') ?? failureText(create.error)) : null
  return (
    <form className={classes.screen} onSubmit={submit} noValidate>
      <div className={classes.bar}>
        <h1 className={classes.heading}>{t('new')}</h1>
        <span className={classes.spring} />
        <Button variant="default" onClick={leave} rightSection={isUntouched && <KeyHint keys="escape" />}>
          {t('ui:cancel')}
        </Button>
      </div>
      <div className={classes.fields}>
        <TextInput
          label={t('field.title')}
          placeholder={t('field.titleHint')}
          value={title}
          maxLength={255}
          error={fields.title?.join(', ')}
          onChange={(event) => setTitle(event.currentTarget.value)}
          data-autofocus
          autoFocus
        />
        {canName && (
          <PersonSelect
            label={t('field.receiver')}
            people={members.length > 0 ? members : [user]}
            value={receiverId}
            error={fields.receiver?.join(', ')}
            onChange={(id) => {
              setReceiverId(id)
              setChosen(new Map())
            }}
          />
        )}
        <TextInput
          label={t('ui:field.description')}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      </div>
      <div className={classes.picker}>
        <ExpensePicker
          key={receiverId}
          parties={{ payer_id, receiver_id: receiverId }}
          chosen={chosen}
          onChosen={setChosen}
          view="choosing"
        />
      </div>
      <div className={classes.foot}>
        <span className="tabular">{chosen.size > 0 ? t('expenses', { count: chosen.size }) : t('picker.hint')}</span>
        <Totals totals={totalsOf(chosen.values())} />
        {rest && (
          <span className={classes.failure} role="alert">
            {rest}
          </span>
        )}
        <span className={classes.spring} />
        <Button type="submit" loading={create.isPending} disabled={title.trim() === ''}>
          {t('create')}
        </Button>
      </div>
    </form>
  )
}

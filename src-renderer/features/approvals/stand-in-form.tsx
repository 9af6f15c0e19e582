import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StandInRepresentation } from '#shared/contract/organization-records/stand-ins'
import { instantIn } from '#shared/domain/timezones'
import { RecordForm, refusalOf, useStored } from '../../records/list-screen/record-form'
import { dayOf } from '../../state/date-input'
import { usePreferences } from '../../state/preferences'
import { SearchSelect } from '../../ui/form/search-select'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { useStandInWrite } from '../../records/approvals'
import classes from './approvals.module.css'

/** A stand-in as its form holds it; people by their ids as texts, days as `YYYY-MM-DD`, both of them included. */
type Form = { readonly user: string; readonly delegate: string; readonly from: string; readonly until: string; readonly name: string }
type Problems = Partial<Record<keyof Form, 'needs' | 'badDate' | 'blank'>>

const dayMs = 86_400_000

/** The last day on which someone stands in until, not at, an instant. */
export function lastDayOf(ends_at: string, timezone: string): string {
  return dayOf(new Date(new Date(ends_at).getTime() - 1), timezone)
}

function dayAfter(day: string): string {
  return new Date(new Date(`${day}T00:00:00Z`).getTime() + dayMs).toISOString().slice(0, 10)
}

/** Their errors are shown with their fields. */
const attributes = ['name', 'user', 'delegate', 'starts_at', 'ends_at']

/** What the form is given. `standIn` is absent for a new one; `own`: who it is for, where the person chooses only for themselves. */
export type StandInFormProps = {
  organizationId: number
  people: ReadonlyArray<{ readonly id: number; readonly name: string }>
  own: number | undefined
  standIn?: StandInRepresentation
  onStored: (standIn: StandInRepresentation) => void
  onDelete?: () => void
}

/** Who stands in for whom, from one day to another. */
export function StandInForm({ organizationId, people, own, standIn, onStored, onDelete }: StandInFormProps) {
  const { t } = useTranslation('stand-ins')
  const timezone = usePreferences((state) => state.timezone)
  const draft = useFormDraft<Form>({
    form: standIn ? 'stand-in-edit' : 'stand-in-new',
    record: standIn?.id ?? organizationId,
    stored: {
      user: String(standIn?.user.id ?? own ?? ''),
      delegate: String(standIn?.delegate.id ?? ''),
      from: standIn ? dayOf(new Date(standIn.starts_at), timezone) : '',
      until: standIn ? lastDayOf(standIn.ends_at, timezone) : '',
      name: standIn?.name ?? t('reason'),
    },
  })
  const { value, change } = draft
  const [problems, setProblems] = useState<Problems>({})
  const write = useStandInWrite(organizationId)
  const stored = useStored({ name: 'stand-ins', draft, record: standIn, onStored })
  const submit = () => {
    const starts_at = value.from === '' ? undefined : instantIn(timezone, `${value.from}T00:00:00`)
    const ends_at = value.until === '' ? undefined : instantIn(timezone, `${dayAfter(value.until)}T00:00:00`)
    setProblems({
      ...(value.user === '' ? { user: 'needs' } : {}),
      ...(value.delegate === '' ? { delegate: 'needs' } : {}),
      ...(starts_at === undefined ? { from: 'badDate' } : {}),
      ...(ends_at === undefined ? { until: 'badDate' } : {}),
      ...(value.name.trim() === '' ? { name: 'blank' } : {}),
    })
    if (value.user === '' || value.delegate === '' || value.name.trim() === '' || !starts_at || !ends_at) return
    const person = (id: string) => ({ id: Number(id), type: 'User' as const })
    const fields = { ...{ user: person(value.user), delegate: person(value.delegate), starts_at, ends_at }, name: value.name.trim() }
    write.mutate(standIn ? { kind: 'change', record: standIn, fields } : { kind: 'create', fields }, stored)
  }
  const errorOf = (field: keyof Form, attribute: string = field) => {
    const problem = problems[field]
    if (problem !== undefined) return t(problem)
    return refusalOf(write.error, attribute)
  }
  const choices = people.map(({ id, name }) => ({ value: String(id), label: name }))
  const personName = (id: string) => people.find((person) => String(person.id) === id)?.name
  return (
    <RecordForm
      name="stand-ins"
      draft={draft}
      attributes={attributes}
      words={{
        name: (field) => t(`field.${field}`),
        value: (field, held) => (field === 'user' || field === 'delegate' ? personName(String(held)) : undefined),
      }}
      {...{ error: write.error, isPending: write.isPending, isNew: !standIn, onSubmit: submit, onDelete }}
    >
      <SearchSelect
        label={t('detail.user')}
        value={value.user}
        onChange={(user) => change({ user })}
        data={choices}
        disabled={own !== undefined}
        error={errorOf('user')}
      />
      <div>
        <SearchSelect
          label={t('detail.delegate')}
          value={value.delegate}
          onChange={(delegate) => change({ delegate })}
          data={choices.filter((one) => one.value !== value.user)}
          error={errorOf('delegate')}
        />
        <p className={classes.hint}>{t('detail.delegateHint')}</p>
      </div>
      <div className={classes.pair}>
        <TextInput
          type="date"
          label={t('detail.from')}
          value={value.from}
          onChange={(event) => change({ from: event.currentTarget.value })}
          error={errorOf('from', 'starts_at')}
        />
        <TextInput
          type="date"
          label={t('detail.until')}
          value={value.until}
          min={value.from || undefined}
          onChange={(event) => change({ until: event.currentTarget.value })}
          error={errorOf('until', 'ends_at')}
        />
      </div>
      <TextInput
        label={t('detail.name')}
        description={t('detail.nameHint')}
        value={value.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        maxLength={200}
        error={errorOf('name')}
      />
    </RecordForm>
  )
}

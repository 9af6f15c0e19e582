import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PolicyRepresentation } from '#shared/contract/organization-records/policies'
import { policyConditions } from '#shared/domain/policies/terms'
import { policy as definition } from '#shared/records/policy'
import { RecordForm, refusalOf, useStored } from '../../records/list-screen/record-form'
import { usePolicyWrite } from '../../records/policies'
import { dayOf } from '../../state/date-input'
import type { FieldValue } from '../../state/form-edit'
import { usePreferences } from '../../state/preferences'
import type { FieldWords } from '../../ui/form/draft-notice'
import { DayField } from '../../ui/form/fields'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { now } from '../../ui/values/clock'
import classes from './policies.module.css'
import { ScopeFields, TermFields, WeightField } from './policy-fields'
import { PolicyReplay } from './policy-replay'
import { type PolicyForm as Form, type PolicyProblems, readPolicyForm, toPolicyForm } from './policy-values'
import { type Known, type PolicyWords, usePolicyWords } from './policy-words'

/** What the form is given. `policy` is absent for a new one. */
export type PolicyFormProps = Known & {
  organizationId: number
  /** What new amounts are in. */
  currency: string
  policy?: PolicyRepresentation
  onStored: (policy: PolicyRepresentation) => void
  onDelete?: () => void
}

/** What a policy is called, looks for, and does. */
export function PolicyForm({ organizationId, currency, tags, people, policy, onStored, onDelete }: PolicyFormProps) {
  const { t } = useTranslation('policies')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const words = usePolicyWords({ tags, people })
  const draft = useFormDraft<Form>({
    form: policy ? 'policy-edit' : 'policy-new',
    record: policy?.id ?? organizationId,
    stored: toPolicyForm(policy, { language, currency }),
  })
  const [problems, setProblems] = useState<PolicyProblems>({})
  const write = usePolicyWrite(organizationId)
  const stored = useStored({ name: 'policies', draft, record: policy, more: t('rechecked'), onStored })
  const read = readPolicyForm(draft.value, { language, today: dayOf(now(), timezone) })
  const submit = () => {
    setProblems(read.kind === 'wrong' ? read.problems : {})
    if (read.kind === 'wrong') return
    const { fields } = read
    write.mutate(policy ? { kind: 'change', record: policy, fields } : { kind: 'create', fields }, stored)
  }
  const errorOf = (field: keyof Form, attribute: string = field) => {
    const problem = problems[field]
    return problem === undefined ? refusalOf(write.error, attribute) : t(problem)
  }
  const fields = { form: draft.value, change: draft.change, errorOf, tags, people, words }
  return (
    <RecordForm
      name="policies"
      draft={draft}
      attributes={Object.keys(definition.attributes)}
      words={draftWords(t, words)}
      {...{ error: write.error, isPending: write.isPending, isNew: !policy, onSubmit: submit, onDelete }}
      after={<PolicyReplay organizationId={organizationId} fields={read.kind === 'ok' ? read.fields : undefined} />}
    >
      <TextInput
        label={t('detail.name')}
        description={t('detail.nameHint')}
        value={draft.value.name}
        onChange={(event) => draft.change({ name: event.currentTarget.value })}
        maxLength={200}
        required
        withAsterisk={false}
        autoFocus={!policy}
        error={errorOf('name')}
      />
      <Select
        label={t('detail.condition')}
        value={draft.value.condition}
        onChange={(condition) => condition && draft.change({ condition })}
        data={policyConditions.map((value) => ({ value, label: t(`condition.${value}`) }))}
        allowDeselect={false}
        error={errorOf('condition')}
      />
      <TermFields {...fields} />
      <WeightField value={draft.value.weight} onChange={(weight) => draft.change({ weight })} />
      <ScopeFields {...fields} />
      <div>
        <DayField
          label={t('detail.holds')}
          text={draft.value.holds}
          onText={(holds) => draft.change({ holds })}
          error={errorOf('holds', 'holds_from')}
        />
        <p className={classes.hint}>{t('detail.holdsHint')}</p>
      </div>
    </RecordForm>
  )
}

/** The fields and their values, where a draft of the form was kept or someone else changed the policy. */
function draftWords(t: (key: string) => string, words: PolicyWords): FieldWords {
  const choices: Readonly<Record<string, string>> = { condition: 'condition', weight: 'weight', period: 'period', kind: 'kind' }
  const nameAll = (value: FieldValue, nameOf: (id: number) => string) =>
    Array.isArray(value) ? value.map((id) => nameOf(Number(id))).join(', ') : undefined
  return {
    name: (field) => t(`field.${field}`),
    value: (field, value) => {
      const choice = choices[field]
      if (choice !== undefined) return t(`${choice}.${String(value) || 'all'}`)
      if (field === 'tags') return nameAll(value, words.tagName)
      return field === 'claimants' ? nameAll(value, words.personName) : undefined
    },
  }
}

import { Button, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PolicyRepresentation } from '#shared/contract/organization-records/policies'
import type { Tag } from '#shared/contract/tags'
import { currencyChoices } from '#shared/domain/currencies'
import { type PolicyWeight, policyConditions, policyWeights } from '#shared/domain/policies'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { usePolicyWrite } from '../../records/policies'
import { dayOf } from '../../state/date-input'
import { notifyDone } from '../../state/notices'
import { usePreferences } from '../../state/preferences'
import { DraftForm } from '../../ui/form/draft-form'
import { DayField, MoneyField } from '../../ui/form/fields'
import { SearchSelect } from '../../ui/form/search-select'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { KeyHint } from '../../ui/keys/key-hint'
import { now } from '../../ui/values/clock'
import classes from './policies.module.css'
import { type PolicyForm as Form, type PolicyProblems, readPolicyForm, takesTerm, toPolicyForm } from './policy-values'

/** What the form is given. `policy` is absent for a new one. */
export type PolicyFormProps = {
  organizationId: number
  /** What new amounts are in. */
  currency: string
  tags: readonly Tag[]
  policy?: PolicyRepresentation
  onStored: (policy: PolicyRepresentation) => void
  onDelete?: () => void
}

/** What a policy is called, looks for, and does. */
export function PolicyForm({ organizationId, currency, tags, policy, onStored, onDelete }: PolicyFormProps) {
  const { t } = useTranslation('policies')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const draft = useFormDraft<Form>({
    form: policy ? 'policy-edit' : 'policy-new',
    record: policy?.id ?? organizationId,
    stored: toPolicyForm(policy, { language, currency }),
  })
  const [problems, setProblems] = useState<PolicyProblems>({})
  const write = usePolicyWrite(organizationId)
  const submit = () => {
    const read = readPolicyForm(draft.value, { language, today: dayOf(now(), timezone) })
    setProblems(read.kind === 'wrong' ? read.problems : {})
    if (read.kind === 'wrong') return
    const { fields } = read
    write.mutate(policy ? { kind: 'change', record: policy, fields } : { kind: 'create', fields }, {
      onSuccess: (stored) => {
        if (!stored) return
        draft.done()
        notifyDone(`${t(policy ? 'changed' : 'created', { name: stored.name })}. ${t('rechecked')}`)
        onStored(stored)
      },
    })
  }
  const tagName = (id: string) => tags.find((tag) => String(tag.id) === id)?.name ?? t('deletedTag')
  const fieldErrors = write.error instanceof ApiError ? write.error.fields : {}
  const errorOf = (field: keyof Form, attribute: string = field) => {
    const problem = problems[field]
    return problem === undefined ? fieldErrors[attribute]?.join(' ') : t(problem)
  }
  return (
    <DraftForm
      draft={draft}
      words={{
        name: (field) => t(`detail.${field}`),
        value: (field, value) =>
          field === 'condition' || field === 'weight'
            ? t(`${field}.${String(value)}`)
            : field === 'tag' && value !== ''
              ? tagName(String(value))
              : undefined,
      }}
      className={classes.form}
      onSubmit={submit}
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
      <TermFields draft={draft} errorOf={errorOf} />
      {draft.value.condition !== 'tag_missing' && (
        <SearchSelect
          label={t('detail.tag')}
          value={draft.value.tag}
          onChange={(tag) => draft.change({ tag })}
          data={[
            { value: '', label: t('detail.tagAll') },
            ...tags.map(({ id, name }) => ({ value: String(id), label: name })),
            ...(draft.value.tag !== '' && !tags.some(({ id }) => String(id) === draft.value.tag)
              ? [{ value: draft.value.tag, label: t('deletedTag') }]
              : []),
          ]}
          error={errorOf('tag', 'tag_id')}
        />
      )}
      <WeightField value={draft.value.weight} onChange={(weight) => draft.change({ weight })} />
      <div>
        <DayField
          label={t('detail.holds')}
          text={draft.value.holds}
          onText={(holds) => draft.change({ holds })}
          error={errorOf('holds', 'holds_from')}
        />
        <p className={classes.hint}>{t('detail.holdsHint')}</p>
      </div>
      {write.error && Object.keys(fieldErrors).length === 0 && (
        <p className={classes.failure} role="alert">
          {write.error instanceof ApiError && write.error.status === 412
            ? t('stale')
            : t('failed', { reason: failureText(write.error) })}
        </p>
      )}
      <div className={classes.actions}>
        <Button type="submit" loading={write.isPending}>
          {t(policy ? 'detail.save' : 'detail.create')}
        </Button>
        {onDelete && (
          <Button variant="default" onClick={onDelete} rightSection={<KeyHint keys="delete" />}>
            {t('detail.delete')}
          </Button>
        )}
      </div>
    </DraftForm>
  )
}

/** What the condition is measured by. */
function TermFields({
  draft: { value, change },
  errorOf,
}: {
  draft: { value: Form; change: (part: Partial<Form>) => void }
  errorOf: (field: keyof Form) => string | undefined
}) {
  const { t } = useTranslation('policies')
  if (takesTerm(value.condition, 'amount'))
    return (
      <MoneyField
        amount={value.amount}
        currency={value.currency}
        onAmount={(amount) => change({ amount })}
        onCurrency={(currency) => change({ currency })}
        amountLabel={t(value.condition === 'receipt_missing' ? 'detail.amountAbove' : 'detail.amount')}
        error={errorOf('amount')}
        currencyError={errorOf('currency')}
      />
    )
  if (takesTerm(value.condition, 'currency'))
    return (
      <SearchSelect
        label={t('detail.currencyOnly')}
        value={value.currency}
        onChange={(currency) => change({ currency })}
        data={currencyChoices(value.currency)}
        error={errorOf('currency')}
      />
    )
  if (!takesTerm(value.condition, 'days')) return null
  return (
    <TextInput
      label={t('detail.days')}
      value={value.days}
      onChange={(event) => change({ days: event.currentTarget.value })}
      inputMode="numeric"
      maxLength={5}
      error={errorOf('days')}
    />
  )
}

function WeightField({ value, onChange }: { value: PolicyWeight; onChange: (weight: PolicyWeight) => void }) {
  const { t } = useTranslation('policies')
  return (
    <div role="group" aria-labelledby="policy-weight">
      <p id="policy-weight" className={classes.label}>
        {t('detail.weight')}
      </p>
      <SegmentedControl
        value={value}
        onChange={onChange}
        data={policyWeights.map((value) => ({ value, label: t(`weight.${value}`) }))}
      />
      <p className={classes.hint}>{t('detail.weightHint')}</p>
    </div>
  )
}

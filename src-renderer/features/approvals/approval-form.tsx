import { MultiSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApprovalRuleRepresentation } from '#shared/contract/organization-records/approval-rules'
import { approvalRules } from '#shared/domain/duties'
import { RecordForm, refusalOf, useStored } from '../../records/list-screen/record-form'
import { usePreferences } from '../../state/preferences'
import { MoneyField } from '../../ui/form/fields'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { useApprovalRuleWrite } from '../../records/approvals'
import { type ApprovalForm as Form, type ApprovalProblems, readApprovalForm, toApprovalForm } from './approval-values'
import type { ApprovalWords, Known } from './approval-words'
import classes from './approvals.module.css'

/** Their errors are shown with their fields. */
const attributes = ['name', 'rule', 'user_ids', 'amount', 'currency', 'tag_ids']

/** What the form is given. `rule` is absent for a new one. */
export type ApprovalFormProps = Known & {
  organizationId: number
  /** What new amounts are in. */
  currency: string
  words: ApprovalWords
  rule?: ApprovalRuleRepresentation
  onStored: (rule: ApprovalRuleRepresentation) => void
  onDelete?: () => void
}

/** Who may approve what, or what two people decide. */
export function ApprovalForm({ organizationId, currency, tags, people, words, rule, onStored, onDelete }: ApprovalFormProps) {
  const { t } = useTranslation('approvals')
  const language = usePreferences((state) => state.language)
  const draft = useFormDraft<Form>({
    form: rule ? 'approval-edit' : 'approval-new',
    record: rule?.id ?? organizationId,
    stored: toApprovalForm(rule, { language, currency }),
  })
  const { value, change } = draft
  const [problems, setProblems] = useState<ApprovalProblems>({})
  const write = useApprovalRuleWrite(organizationId)
  const stored = useStored({ name: 'approvals', draft, record: rule, onStored })
  const submit = () => {
    const read = readApprovalForm(value, language)
    setProblems(read.kind === 'wrong' ? read.problems : {})
    if (read.kind === 'ok')
      write.mutate(rule ? { kind: 'change', record: rule, fields: read.fields } : { kind: 'create', fields: read.fields }, stored)
  }
  const errorOf = (field: keyof Form, attribute: string = field) => {
    const problem = problems[field]
    return problem === undefined ? refusalOf(write.error, attribute) : t(problem)
  }
  const isAuthority = value.rule === 'authority'
  return (
    <RecordForm
      name="approvals"
      draft={draft}
      attributes={attributes}
      words={{ name: (field) => t(`field.${field}`), value: words.fieldValue }}
      {...{ error: write.error, isPending: write.isPending, isNew: !rule, onSubmit: submit, onDelete }}
    >
      <TextInput
        label={t('detail.name')}
        description={t('detail.nameHint')}
        value={value.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        maxLength={200}
        required
        withAsterisk={false}
        autoFocus={!rule}
        error={errorOf('name')}
      />
      <div>
        <SegmentedControl
          fullWidth
          aria-label={t('detail.rule')}
          value={value.rule}
          onChange={(chosen) => change({ rule: chosen })}
          data={approvalRules.map((one) => ({ value: one, label: t(`rule.${one}`) }))}
        />
        <p className={classes.hint}>{t(`ruleHint.${value.rule}`)}</p>
      </div>
      {isAuthority && (
        <MultiSelect
          size="xs"
          label={t('detail.people')}
          value={[...value.people]}
          onChange={(ids) => change({ people: ids })}
          data={words.listed(value.people, people, words.personName)}
          searchable
          error={errorOf('people', 'user_ids')}
        />
      )}
      <div>
        <MoneyField
          amount={value.amount}
          currency={value.currency}
          onAmount={(amount) => change({ amount })}
          onCurrency={(code) => change({ currency: code })}
          amountLabel={t(isAuthority ? 'detail.amount' : 'detail.amountOver')}
          error={errorOf('amount')}
          currencyError={errorOf('currency')}
        />
        <p className={classes.hint}>{t(isAuthority ? 'detail.amountHint' : 'detail.amountOverHint')}</p>
      </div>
      <MultiSelect
        size="xs"
        label={t('detail.tags')}
        placeholder={value.tags.length === 0 ? t('allExpenses') : undefined}
        value={[...value.tags]}
        onChange={(ids) => change({ tags: ids })}
        data={words.listed(value.tags, tags, words.tagName)}
        searchable
        error={errorOf('tags', 'tag_ids')}
      />
    </RecordForm>
  )
}

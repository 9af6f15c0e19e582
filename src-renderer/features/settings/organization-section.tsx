import { Button, Select, Switch, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { distanceRuleRoutes, type DistanceRuleRepresentation } from '#shared/contract/distance-rules'
import type { Session } from '#shared/contract/instance/instance'
import { organizationRoutes } from '#shared/contract/organizations'
import { parseRateInput, writeDecimal } from '#shared/domain/amount-text'
import { currencyChoices } from '#shared/domain/currencies'
import { distanceKinds, rateDecimals } from '#shared/domain/distance'
import { call } from '../../api/client'
import { failureText, fieldFailure } from '../../api/failure-text'
import { useSession } from '../../api/session'
import { usePreferences } from '../../state/preferences'
import { AmountField } from '../../ui/form/amount-text'
import { DraftForm } from '../../ui/form/draft-form'
import { formatRate } from '../../ui/values/format'
import { notifyDone, notifyFailure } from '../../state/notices'
import { SearchSelect } from '../../ui/form/search-select'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { Retention } from './retention-form'
import { Section } from './section'
import classes from './settings.module.css'

/** The settings of an organization: its name, its rules, and what it pays for distances. For its admins. */
export function OrganizationSection({ organization }: { organization: Session['memberships'][number]['organization'] }) {
  const { t } = useTranslation('settings')
  const ownCurrency = useSession().data?.user.default_currency
  const { data } = useQuery({
    queryKey: ['distance-rule', organization.id],
    queryFn: async ({ signal }) =>
      (await call(distanceRuleRoutes.list, { params: { organization_id: organization.id }, signal }))[0] ?? null,
  })
  return (
    <Section id="organization" title={t('organization.title', { name: organization.name })}>
      <NameForm organization={organization} />
      <div className={classes.row}>
        <Button component={Link} href="/import" variant="default">
          {t('organization.import')}
        </Button>
      </div>
      <Rules organization={organization} />
      <Retention key={organization.id} organizationId={organization.id} />
      {data && ownCurrency && <DistanceForm key={data.organization_id} rule={data} ownCurrency={ownCurrency} />}
    </Section>
  )
}

function NameForm({ organization: { id, name: stored } }: { organization: { id: number; name: string } }) {
  const { t } = useTranslation('settings')
  const draft = useFormDraft({ form: 'organization-edit', record: id, stored: { name: stored } })
  const { name } = draft.value
  const save = useMutation({
    mutationFn: () => call(organizationRoutes.update, { params: { id }, body: { name } }),
    onSuccess: () => {
      draft.done()
      notifyDone(t('saved'))
    },
  })
  return (
    <DraftForm
      draft={draft}
      words={{ name: () => t('organization.name') }}
      className={classes.fieldRow}
      onSubmit={() => save.mutate()}
    >
      <TextInput
        className={classes.grow}
        label={t('organization.name')}
        value={name}
        error={fieldFailure(save.error, 'name')}
        onChange={(event) => draft.change({ name: event.currentTarget.value })}
      />
      <Button type="submit" variant="default" loading={save.isPending} disabled={name.trim() === '' || name.trim() === stored}>
        {t('save')}
      </Button>
    </DraftForm>
  )
}

const rules = ['separate_approval', 'separate_payment', 'restricted_tags'] as const

/** The rules that an organization switches on; each takes effect at once. */
function Rules({ organization }: { organization: Session['memberships'][number]['organization'] }) {
  const { t } = useTranslation('settings')
  const save = useMutation({
    mutationFn: (body: Partial<Record<(typeof rules)[number], boolean>>) =>
      call(organizationRoutes.update, { params: { id: organization.id }, body }),
    onSuccess: () => notifyDone(t('saved')),
    onError: (error) => notifyFailure({ title: t('organization.rule.label'), message: failureText(error) }),
  })
  return (
    <fieldset className={classes.rules}>
      <legend>{t('organization.rule.label')}</legend>
      {rules.map((rule) => (
        <Switch
          key={rule}
          label={t(`organization.rule.${rule}`)}
          description={t(`organization.rule.${rule}Hint`)}
          checked={save.isPending ? (save.variables[rule] ?? organization[rule]) : organization[rule]}
          disabled={save.isPending}
          onChange={(event) => save.mutate({ [rule]: event.currentTarget.checked })}
        />
      ))}
    </fieldset>
  )
}

type DistanceRuleWriting = {
  readonly amount: string
  readonly currency: string
  readonly kind: DistanceRuleRepresentation['distance_kind']
}

const rateProblems = {
  not_a_number: 'organization.notAnAmount',
  too_precise: 'organization.tooPrecise',
  too_large: 'organization.tooLarge',
  not_positive: 'organization.notPositive',
} as const
const ruleWords: Readonly<Record<string, string>> = { currency: 'profile.currency', kind: 'organization.unit' }

/** If no rate is set, the form begins with the admin's own currency and no amount: the default rate is the contract's, shown beneath. */
function DistanceForm({ rule, ownCurrency }: { rule: DistanceRuleRepresentation; ownCurrency: string }) {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const language = usePreferences((state) => state.language)
  const isForeignDefault = rule.id === null && rule.currency !== ownCurrency
  const draft = useFormDraft<DistanceRuleWriting>({
    form: 'distance-rule-edit',
    record: rule.organization_id,
    stored: {
      amount: isForeignDefault ? '' : writeDecimal(String(rule.amount), { language, decimals: rateDecimals }),
      currency: isForeignDefault ? ownCurrency : rule.currency,
      kind: rule.distance_kind,
    },
  })
  const { amount, currency, kind } = draft.value
  const parsed = parseRateInput(amount, { currency, language })
  const save = useMutation({
    mutationFn: (price: number) =>
      call(distanceRuleRoutes.set, {
        params: { organization_id: rule.organization_id },
        body: { amount: price, currency, distance_kind: kind },
      }),
    onSuccess: (rules) => {
      draft.done()
      client.setQueryData(['distance-rule', rule.organization_id], rules[0] ?? null)
      notifyDone(t('saved'))
    },
  })
  const submit = () => {
    if (parsed.kind === 'ok') save.mutate(parsed.amount)
  }
  return (
    <DraftForm
      draft={draft}
      words={{ name: (field) => t(ruleWords[field] ?? 'organization.distance') }}
      className={classes.fieldRow}
      onSubmit={submit}
    >
      <AmountField
        className={classes.grow}
        label={t('organization.distance')}
        of={{ kind: 'rate', text: amount, currency }}
        placeholder={isForeignDefault ? t('organization.rate') : undefined}
        emptyNote={isForeignDefault && t('organization.noRate', { rate: formatRate(rule, language), unit: rule.distance_kind })}
        error={
          parsed.kind === 'ok' || parsed.kind === 'empty'
            ? fieldFailure(save.error, 'amount')
            : t(rateProblems[parsed.kind], { decimals: rateDecimals })
        }
        onText={(text) => draft.change({ amount: text })}
      />
      <SearchSelect
        w={104}
        aria-label={t('profile.currency')}
        value={currency}
        data={currencyChoices(currency)}
        onChange={(code) => draft.change({ currency: code })}
      />
      <Select
        w={88}
        aria-label={t('organization.unit')}
        value={kind}
        data={distanceKinds.map((known) => ({ value: known, label: `/ ${known}` }))}
        allowDeselect={false}
        onChange={(value) => {
          const chosen = distanceKinds.find((known) => known === value)
          if (chosen) draft.change({ kind: chosen })
        }}
      />
      <Button type="submit" variant="default" loading={save.isPending} disabled={parsed.kind !== 'ok'}>
        {t('save')}
      </Button>
    </DraftForm>
  )
}

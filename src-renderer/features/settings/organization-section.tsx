import { Button, Select, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { distanceRuleRoutes, type DistanceRuleRepresentation } from '#shared/contract/distance-rules'
import { organizationRoutes } from '#shared/contract/organizations'
import { currencyExponents } from '#shared/domain/currencies'
import { distanceKinds } from '#shared/domain/distance'
import { ApiError, call } from '../../api/client'
import { sessionKey } from '../../api/session'
import { parseAmountInput } from '../../state/amount-input'
import { usePreferences } from '../../state/preferences'
import { intlLocaleOf } from '../../ui/format'
import { notifyDone } from '../../state/notices'
import { SearchSelect } from '../../ui/search-select'
import { Section } from './section'
import classes from './settings.module.css'

const currencyCodes = Object.keys(currencyExponents)

/** The settings of an organization: its name and what it pays for distances. For its admins. */
export function OrganizationSection({ organization }: { organization: { id: number; name: string } }) {
  const { t } = useTranslation('settings')
  const { data } = useQuery({
    queryKey: ['distance-rule', organization.id],
    queryFn: async ({ signal }) =>
      (await call(distanceRuleRoutes.list, { params: { organization_id: organization.id }, signal }))[0] ?? null,
  })
  return (
    <Section id="organization" title={t('organization.title', { name: organization.name })}>
      <NameForm organization={organization} />
      {data && <DistanceForm key={data.version} rule={data} />}
    </Section>
  )
}

function NameForm({ organization: { id, name: stored } }: { organization: { id: number; name: string } }) {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const [name, setName] = useState(stored)
  const save = useMutation({
    mutationFn: () => call(organizationRoutes.update, { params: { id }, body: { name } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: sessionKey })
      notifyDone(t('saved'))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form className={classes.row} onSubmit={submit} style={{ alignItems: 'flex-end' }}>
      <TextInput
        className={classes.grow}
        label={t('organization.name')}
        value={name}
        error={save.error?.message}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={save.isPending} disabled={name.trim() === '' || name.trim() === stored}>
        {t('save')}
      </Button>
    </form>
  )
}

function DistanceForm({ rule }: { rule: DistanceRuleRepresentation }) {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const language = usePreferences((state) => state.language)
  const [amount, setAmount] = useState(() =>
    new Intl.NumberFormat(intlLocaleOf(language), { useGrouping: false, maximumFractionDigits: 4 }).format(rule.amount),
  )
  const [currency, setCurrency] = useState(rule.currency)
  const [kind, setKind] = useState(rule.distance_kind)
  const parsed = parseAmountInput(amount, { currency, language })
  const save = useMutation({
    mutationFn: (price: number) =>
      call(distanceRuleRoutes.set, {
        params: { organization_id: rule.organization_id },
        body: { amount: price, currency, distance_kind: kind },
      }),
    onSuccess: (rules) => {
      client.setQueryData(['distance-rule', rule.organization_id], rules[0] ?? null)
      notifyDone(t('saved'))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (parsed.kind === 'ok') save.mutate(parsed.amount)
  }
  const error = save.error instanceof ApiError ? (save.error.fields.amount?.join(', ') ?? save.error.message) : undefined
  return (
    <form className={classes.row} onSubmit={submit} style={{ alignItems: 'flex-end' }}>
      <TextInput
        className={`${classes.grow} tabular`}
        label={t('organization.distance')}
        value={amount}
        inputMode="decimal"
        error={parsed.kind === 'ok' ? error : t('organization.notAnAmount')}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
      <SearchSelect w={104} aria-label={t('profile.currency')} value={currency} data={currencyCodes} onChange={setCurrency} />
      <Select
        w={88}
        aria-label={t('organization.unit')}
        value={kind}
        data={distanceKinds.map((known) => ({ value: known, label: `/ ${known}` }))}
        allowDeselect={false}
        onChange={(value) => {
          const chosen = distanceKinds.find((known) => known === value)
          if (chosen) setKind(chosen)
        }}
      />
      <Button type="submit" variant="default" loading={save.isPending} disabled={parsed.kind !== 'ok'}>
        {t('save')}
      </Button>
    </form>
  )
}

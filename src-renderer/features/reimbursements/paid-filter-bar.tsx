import { Button, Popover, Select } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { parseDateInput } from '../../state/date-input'
import { parseFilterAmount, usualDecimals, writeDecimal } from '#shared/domain/amount-text'
import type { SettlementChoices } from '../../state/settlement-choices'
import { writeDay } from '../../state/settlement-form'
import { FilterChip } from '../../ui/grid/filter-chip'
import { AmountField } from '../../ui/form/amount-text'
import { DayField, PersonSelect } from '../../ui/form/fields'
import { formatComparedAmount, formatDay } from '../../ui/values/format'
import { now } from '../../ui/values/clock'
import { KeyHint } from '../../ui/keys/key-hint'
import { useSettlementWriting } from '../../records/settlement/settlement-fields'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { ExportAct } from '../../records/export/export-act'
import { paidFilterNames, toApiFilter, type PaidFilter } from './paid-filter'
import classes from './reimbursements.module.css'

type PaidFilterBarProps = {
  filter: PaidFilter
  choices: SettlementChoices
  onFilter: (filter: PaidFilter) => void
  onLeave: () => void
  organizationId: number
}

/** The filters of the list as chips, and the sheet that sets them. */
export function PaidFilterBar({ filter, choices, onFilter, onLeave, organizationId }: PaidFilterBarProps) {
  const { t } = useTranslation('reimbursements')
  const [isOpen, setOpen] = useState(false)
  const words = useFilterWords(choices)
  useShortcuts({ scope: 'paid-filter', title: t('filter.title') }, [
    { id: 'filter', keys: 'f', label: t('filter.add'), run: () => setOpen(true) },
  ])
  const leave = () => {
    setOpen(false)
    onLeave()
  }
  return (
    <div className={classes.bar} role="toolbar" aria-label={t('filter.title')}>
      {paidFilterNames
        .filter((name) => filter[name] !== '')
        .map((name) => (
          <FilterChip
            key={name}
            {...words(name, filter[name])}
            onEdit={() => setOpen(true)}
            onRemove={() => {
              onFilter({ ...filter, [name]: '' })
              onLeave()
            }}
          />
        ))}
      <Popover
        opened={isOpen}
        onChange={(opened) => {
          if (!opened) leave()
        }}
        position="bottom-start"
        trapFocus
        returnFocus={false}
        withRoles={false}
      >
        <Popover.Target>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<Plus size={14} aria-hidden />}
            rightSection={<KeyHint keys="f" />}
            onClick={() => setOpen(!isOpen)}
          >
            {t('filter.add')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown role="dialog" aria-label={t('filter.title')}>
          <PaidFilterForm
            filter={filter}
            choices={choices}
            onFilter={(next) => {
              onFilter(next)
              leave()
            }}
          />
        </Popover.Dropdown>
      </Popover>
      <span className={classes.spring} />
      <ExportAct list={{ of: ['reimbursements'], organizationId, filter: toApiFilter(filter, organizationId), count: undefined }} />
    </div>
  )
}

function useFilterWords({ people }: SettlementChoices) {
  const { t } = useTranslation('reimbursements')
  const { language, timezone } = useSettlementWriting()
  const value = (name: keyof PaidFilter, text: string) => {
    if (name === 'receiver') return people.find(({ id }) => String(id) === text)?.name ?? `#${text}`
    if (name === 'from' || name === 'to') return formatDay(`${text}T00:00:00Z`, { language, timezone, now: now() })
    return name === 'tag' ? text : formatComparedAmount(text, { currency: undefined, language })
  }
  return (name: keyof PaidFilter, text: string) => ({ attribute: t(`filter.${name}`), value: value(name, text) })
}

function PaidFilterForm({ filter, choices, onFilter }: Pick<PaidFilterBarProps, 'filter' | 'choices' | 'onFilter'>) {
  const { t } = useTranslation('reimbursements')
  const { language, today } = useSettlementWriting()
  const writing = { language, decimals: usualDecimals }
  const [form, setForm] = useState(() => ({
    ...filter,
    from: writeDay(filter.from),
    to: writeDay(filter.to),
    least: writeDecimal(filter.least, writing),
    most: writeDecimal(filter.most, writing),
  }))
  const readDay = (text: string) => {
    const read = parseDateInput(text, today)
    return read.kind === 'ok' ? read.date : ''
  }
  const readAmount = (text: string) => parseFilterAmount(text, { currency: undefined, language })
  const amounts = { least: form.least.trim(), most: form.most.trim() }
  const isWrong = (name: keyof typeof amounts) => amounts[name] !== '' && readAmount(amounts[name]) === undefined
  const [isAsked, setAsked] = useState(false)
  const amountField = (name: keyof typeof amounts) => ({
    label: t(`filter.${name}`),
    of: { kind: 'compared', text: form[name], currency: undefined } as const,
    error: isAsked && isWrong(name) ? t('ui:problem.not_a_number') : undefined,
    onText: (text: string) => setForm({ ...form, [name]: text }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isWrong('least') || isWrong('most')) return setAsked(true)
    onFilter({
      ...form,
      from: readDay(form.from),
      to: readDay(form.to),
      least: readAmount(amounts.least) ?? '',
      most: readAmount(amounts.most) ?? '',
    })
  }
  return (
    <form className={classes.filters} onSubmit={submit}>
      <div className={classes.pair}>
        <DayField label={t('filter.from')} text={form.from} onText={(from) => setForm({ ...form, from })} />
        <DayField label={t('filter.to')} text={form.to} onText={(to) => setForm({ ...form, to })} />
        <AmountField {...amountField('least')} />
        <AmountField {...amountField('most')} />
      </div>
      <PersonSelect
        label={t('filter.receiver')}
        people={choices.people}
        value={form.receiver === '' ? null : Number(form.receiver)}
        onChange={(id) => setForm({ ...form, receiver: String(id) })}
      />
      <Select
        label={t('filter.tag')}
        value={form.tag === '' ? null : form.tag}
        data={[...new Set([...choices.tags, ...(form.tag === '' ? [] : [form.tag])])]}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('filter.clear') }}
        onChange={(tag) => setForm({ ...form, tag: tag ?? '' })}
      />
      <div className={classes.actions}>
        <Button variant="subtle" color="gray" onClick={() => onFilter({ receiver: '', tag: '', from: '', to: '', least: '', most: '' })}>
          {t('filter.clear')}
        </Button>
        <Button type="submit">{t('filter.apply')}</Button>
      </div>
    </form>
  )
}

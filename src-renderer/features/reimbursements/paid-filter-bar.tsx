import { Button, Popover, Select, TextInput } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { parseDateInput } from '../../state/date-input'
import { toDecimalText } from '../../state/amount-input'
import type { SettlementChoices } from '../../state/settlement-choices'
import { writeDay } from '../../state/settlement-form'
import { FilterChip } from '../../ui/filter-chip'
import { DayField, PersonSelect } from '../../ui/fields'
import { formatDay } from '../../ui/format'
import { now } from '../../ui/clock'
import { KeyHint } from '../../ui/key-hint'
import { useSettlementWriting } from '../../settlement/settlement-fields'
import { useShortcuts } from '../../ui/shortcuts'
import { paidFilterNames, type PaidFilter } from './paid-filter'
import classes from './reimbursements.module.css'

type PaidFilterBarProps = {
  filter: PaidFilter
  choices: SettlementChoices
  onFilter: (filter: PaidFilter) => void
  onLeave: () => void
}

/** The filters of the list as chips, and the sheet that sets them. */
export function PaidFilterBar({ filter, choices, onFilter, onLeave }: PaidFilterBarProps) {
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
    </div>
  )
}

function useFilterWords({ people }: SettlementChoices) {
  const { t } = useTranslation('reimbursements')
  const { language, timezone } = useSettlementWriting()
  const value = (name: keyof PaidFilter, text: string) => {
    if (name === 'receiver') return people.find(({ id }) => String(id) === text)?.name ?? `#${text}`
    if (name === 'from' || name === 'to') return formatDay(`${text}T00:00:00Z`, { language, timezone, now: now() })
    return language === 'pt' && name !== 'tag' ? text.replace('.', ',') : text
  }
  return (name: keyof PaidFilter, text: string) => ({ attribute: t(`filter.${name}`), value: value(name, text) })
}

function PaidFilterForm({ filter, choices, onFilter }: Pick<PaidFilterBarProps, 'filter' | 'choices' | 'onFilter'>) {
  const { t } = useTranslation('reimbursements')
  const { language, today } = useSettlementWriting()
  const decimal = (text: string) => (language === 'pt' ? text.replace('.', ',') : text)
  const [form, setForm] = useState(() => ({
    ...filter,
    from: writeDay(filter.from),
    to: writeDay(filter.to),
    least: decimal(filter.least),
    most: decimal(filter.most),
  }))
  const readDay = (text: string) => {
    const read = parseDateInput(text, today)
    return read.kind === 'ok' ? read.date : ''
  }
  const readAmount = (text: string) => toDecimalText(text.trim(), { language, hasDecimals: true }) ?? ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFilter({
      ...form,
      from: readDay(form.from),
      to: readDay(form.to),
      least: readAmount(form.least),
      most: readAmount(form.most),
    })
  }
  return (
    <form className={classes.filters} onSubmit={submit}>
      <div className={classes.pair}>
        <DayField label={t('filter.from')} text={form.from} onText={(from) => setForm({ ...form, from })} />
        <DayField label={t('filter.to')} text={form.to} onText={(to) => setForm({ ...form, to })} />
        <TextInput
          label={t('filter.least')}
          value={form.least}
          inputMode="decimal"
          onChange={(event) => setForm({ ...form, least: event.currentTarget.value })}
        />
        <TextInput
          label={t('filter.most')}
          value={form.most}
          inputMode="decimal"
          onChange={(event) => setForm({ ...form, most: event.currentTarget.value })}
        />
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
        <Button
          variant="subtle"
          color="gray"
          onClick={() => onFilter({ receiver: '', tag: '', from: '', to: '', least: '', most: '' })}
        >
          {t('filter.clear')}
        </Button>
        <Button type="submit">{t('filter.apply')}</Button>
      </div>
    </form>
  )
}

import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { parseFilterAmount, usualDecimals, writeDecimal } from '#shared/domain/amount-text'
import type { Language } from '#shared/domain/locales'
import { dayOf, parseDateInput } from '../../state/date-input'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/values/clock'
import { UnderstoodAmount } from '../../ui/form/amount-text'
import { SearchSelect } from '../../ui/form/search-select'
import { formatAbsolute } from '../../ui/values/format'
import {
  flagChoiceOf,
  isMoment,
  kindOf,
  operatorsOf,
  termOf,
  type FilterAttribute,
  type FilterTerm,
  type TermKind,
  type TermOperator,
} from './filter-terms'
import classes from './filters.module.css'
import { type FilterNames, useChoices } from './filter-choices'

type EditorProps = {
  attribute: FilterAttribute
  term: FilterTerm | undefined
  /** The currency that the list is narrowed to: amounts are read in it. */
  currency: string | undefined
  names: FilterNames
  onDone: (term: FilterTerm) => void
}

/** One filter being written: how it compares, and with what. Enter sets it. */
export function FilterEditor({ attribute, term, currency, names, onDone }: EditorProps) {
  const { t } = useTranslation('review')
  const kind = kindOf(attribute)
  const operators = operatorsOf(attribute)
  const [operator, setOperator] = useState<TermOperator>(term?.operator ?? operators[0] ?? 'is')
  const isText = kind === 'text' || kind === 'name'
  const isNamed = kind === 'name' && operator === 'is'
  const choices = useChoices(kind === 'name' && !isNamed ? 'text' : kind, names)
  const language = usePreferences((state) => state.language)
  const [text, setText] = useState(term === undefined ? '' : writtenValue(term, language))
  const [isAsked, setAsked] = useState(false)
  const read = useReadValue(kind, currency)
  const understood = read(text)
  const send = (value: string | undefined) => {
    const made = value === undefined ? undefined : termOf({ attribute: isNamed ? 'supplier' : attribute, operator, value })
    if (made) onDone(made)
    else setAsked(true)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    send(understood?.value)
  }
  return (
    <form className={classes.field} onSubmit={onSubmit}>
      {operators.length > 1 && kind !== 'flag_level' && (
        <NativeSelect
          size="xs"
          aria-label={t('filter.operator')}
          value={operator}
          onChange={(event) => setOperator(operators.find((known) => known === event.currentTarget.value) ?? 'is')}
          data={operators.map((known) => ({ value: known, label: t(`operator.${kind === 'day' ? 'day' : 'value'}.${known}`) }))}
        />
      )}
      {choices ? (
        <SearchSelect
          size="xs"
          label={t([`attribute.${attribute}`, `expense:fields.${attribute}`])}
          data={choices}
          value={text === '' ? null : text}
          autoFocus
          data-autofocus
          takesLate
          defaultDropdownOpened
          comboboxProps={{ withinPortal: false, transitionProps: { duration: 0 } }}
          limit={60}
          nothingFoundMessage={t(names.people && names.tags ? 'filter.nothing' : 'ui:loading')}
          onChange={(value) => {
            setText(value)
            send(value)
          }}
        />
      ) : (
        <>
          <TextInput
            size="xs"
            autoFocus
            data-autofocus
            label={t([`attribute.${attribute}`, `expense:fields.${attribute}`])}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value)
              setAsked(false)
            }}
            placeholder={isText ? undefined : t(`filter.example.${kind === 'day' ? 'day' : 'amount'}`)}
            error={isAsked && text !== '' ? t(`filter.wrong.${kind === 'day' ? 'day' : 'amount'}`) : undefined}
          />
          <p className={classes.hint} aria-live="polite">
            {kind === 'amount' ? (
              <UnderstoodAmount kind="compared" text={text} currency={currency} />
            ) : isText ? (
              ''
            ) : (
              (understood?.words ?? '')
            )}
          </p>
        </>
      )}
      {!choices && (
        <div className={classes.fieldRow}>
          <Button type="submit">{t('filter.set')}</Button>
        </div>
      )}
    </form>
  )
}

/** The value of a filter for editing; the day of an instant. */
function writtenValue({ attribute, value }: FilterTerm, language: Language): string {
  if (attribute === 'has_tag') return `,${value}`
  if (kindOf(attribute) === 'flag_level') return flagChoiceOf(value)
  if (kindOf(attribute) === 'name' && value === '') return ',supplier'
  if (value === '') return `,${attribute}`
  if (kindOf(attribute) === 'amount') return writeDecimal(value, { language, decimals: usualDecimals })
  return isMoment(value) ? value.slice(0, 10) : value
}

/** What a text means to a filter of this kind: its value for the API, and in words what was understood. */
function useReadValue(kind: TermKind, currency: string | undefined): (text: string) => { value: string; words: string } | undefined {
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  return (text) => {
    const trimmed = text.trim()
    if (trimmed === '') return undefined
    if (kind === 'amount') {
      const value = parseFilterAmount(trimmed, { currency, language })
      return value === undefined ? undefined : { value, words: '' }
    }
    if (kind !== 'day') return { value: trimmed, words: trimmed }
    const day = parseDateInput(trimmed, dayOf(now(), timezone))
    return day.kind === 'ok'
      ? { value: day.date, words: formatAbsolute(`${day.date}T00:00:00Z`, { language, timezone, now: now() }) }
      : undefined
  }
}

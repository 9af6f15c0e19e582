import { Button } from '@mantine/core'
import { useCallback, useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import { plainFields } from '#shared/records/expense'
import { dayOf } from '../../state/date-input'
import { type Draft, type DraftForm, type FieldProblem, isBlank, readForm } from '../../state/draft'
import { sentenceOf, textOfFields } from '../../api/field-errors'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/values/clock'
import { DraftVerdict, lacksReason, useVerdict, wantsReason } from '../../records/expense/draft-verdict'
import { FutureDay, useFutureDay } from '../../ui/form/future-day'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcuts } from '../../ui/keys/shortcuts'
import classes from './capture.module.css'
import { DistanceFields } from './distance-fields'
import {
  AmountField,
  DescriptionField,
  DraftCardField,
  DraftDayField,
  DraftSupplierField,
  DraftTagsField,
  KindField,
  Marked,
  PayerField,
  PlainTextField,
} from './form-fields'
import { useDraftInvoices } from './invoice-notes'
import { readLastUsed } from './last-used'
import { MoreFields } from './more-fields'
import { pickFiles } from './pick-files'
import type { FilledField } from './reading/values'

/** The fields of a draft. `notes` tell what was read from its receipts; `onSend` is given the request once every field can be read. */
export type ExpenseFormProps = {
  draft: Draft
  session: Session
  notes: ReactNode
  /** What receipts say of a field. */
  marksOf: (field: FilledField) => ReactNode
  /** The card line that the receipts surely are, in the place of the card. */
  line: ReactNode
  /** Whether the fields that are rarely used are shown. */
  isMoreShown: boolean
  onMore: (isShown: boolean) => void
  /** Which field has the focus, and which one Tab leaves. */
  watch: FieldWatch
  onChange: (part: Partial<DraftForm>) => void
  onSend: (body: Readonly<Record<string, unknown>>) => void
  onLeave: () => void
}

const noProblems: Readonly<Record<string, FieldProblem>> = {}
const needsReason: typeof noProblems = { justification: 'reason' }

/** One expense: Enter saves it and starts the next; Escape leaves it as a draft. */
export function ExpenseForm({
  draft,
  session,
  notes,
  marksOf,
  line,
  isMoreShown,
  onMore,
  watch,
  onChange,
  onSend,
  onLeave,
}: ExpenseFormProps) {
  const { t } = useTranslation('capture')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const [problems, setProblems] = useState(noProblems)
  const [places] = useState(() => readLastUsed().places)
  const { form, refused } = draft
  const formRef = useRefusalFocus(refused)
  const isDisabled = draft.stage.kind !== 'editing'
  const membership = session.memberships.find(({ organization }) => organization.id === form.payer_id)
  const errorOf = (attribute: string) => {
    const problem = problems[attribute]
    return problem ? t(`ui:problem.${problem}`) : refused[attribute]?.map((text) => sentenceOf(attribute, text)).join(' ')
  }
  const change = useCallback(
    (part: Partial<DraftForm>) => {
      setProblems(noProblems)
      onChange(part)
    },
    [onChange],
  )
  const futureDay = useFutureDay(form.date)
  const verdict = useDraftVerdict(draft)
  const isOwn = form.receiver_id === null || form.receiver_id === session.user.id
  const reasonProblem = isOwn && lacksReason(verdict) ? needsReason : noProblems
  const submit = ({ isDayKept = false } = {}) => {
    if (isDisabled) return
    const reading = readForm(form, { language, today: dayOf(now(), timezone) })
    const wrong = reading.kind === 'ok' ? reasonProblem : reading.problems
    setProblems(wrong)
    focusFirst(formRef.current, Object.keys(wrong))
    if (reading.kind !== 'ok' || wrong !== noProblems) return
    if (isDayKept || !futureDay.ask()) onSend(reading.body)
  }
  useShortcuts({ scope: 'capture', title: t('shortcuts.title') }, [
    { id: 'save', keys: 'mod+enter', label: t('save'), run: () => submit() },
    { id: 'leave', keys: 'escape', label: t('leave'), run: onLeave, when: () => !isBlank(draft) },
    { id: 'files', keys: 'f', label: t('choose'), run: pickFiles },
  ])
  const field = { form, change, isDisabled }
  return (
    <form
      ref={formRef}
      className={classes.form}
      noValidate
      aria-label={t('title')}
      {...watchFields(watch)}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <KindField {...field} />
      {(session.memberships.length > 1 || membership === undefined) && (
        <PayerField {...field} memberships={session.memberships} error={errorOf('payer')} />
      )}
      {notes}
      {form.kind === 'monetary' && (
        <Marked marks={marksOf('amount')}>
          <AmountField {...field} error={errorOf('amount')} currencyError={errorOf('currency')} />
        </Marked>
      )}
      {form.kind === 'distance' && <DistanceFields {...field} places={places} errorOf={errorOf} />}
      <Marked marks={marksOf('date')}>
        <DraftDayField {...field} error={errorOf('occurred_at')} />
      </Marked>
      <FutureDay
        question={futureDay}
        onKeep={() => {
          futureDay.keep()
          if (futureDay.isAsked) submit({ isDayKept: true })
        }}
      />
      <Marked marks={marksOf('supplier_name')}>
        <DraftSupplierField {...field} error={errorOf('supplier_name')} />
      </Marked>
      <DraftTagsField {...field} error={errorOf('tags')} isRestricted={membership?.organization.restricted_tags ?? false} />
      {form.kind === 'monetary' && (line ?? <DraftCardField {...field} user={session.user} error={errorOf('corporative_card_id')} />)}
      <DescriptionField {...field} error={errorOf('description')} />
      {wantsReason(verdict) && <PlainTextField {...field} name="justification" error={errorOf('justification')} />}
      <MoreFields
        {...field}
        isShown={isMoreShown}
        onShow={onMore}
        session={session}
        places={places}
        errorOf={errorOf}
        marks={marksOf('supplier_tax_id')}
      />
      {(refused.message ?? otherErrors(refused)).map((text) => (
        <p key={text} className={classes.failure} role="alert">
          {text}
        </p>
      ))}
      {membership?.organization.expired && <p className={classes.failure}>{t('expired')}</p>}
      <DraftVerdict verdict={verdict} booking={{ organizationId: form.payer_id, day: form.date }} />
      <div className={classes.actions}>
        <Button type="submit" disabled={isDisabled} rightSection={<KeyHint keys="enter" />}>
          {t('save')}
        </Button>
        <Button variant="default" disabled={isBlank(draft)} onClick={onLeave} rightSection={<KeyHint keys="escape" />}>
          {t('leave')}
        </Button>
      </div>
    </form>
  )
}

/** What policies find against a draft with the receipts that it has. */
function useDraftVerdict({ form, files }: Draft) {
  const invoices = useDraftInvoices(files).flatMap((invoice) => invoice ?? [])
  return useVerdict(form.payer_id, { ...form, day: form.date, receipts: files.length, invoices })
}

const shownAttributes = new Set([
  'payer',
  'amount',
  'currency',
  'occurred_at',
  'description',
  'tags',
  'receiver',
  'corporative_card_id',
  ...plainFields,
  'origin',
  'destination',
  'distance',
  'message',
])

/** What the server says of attributes that the form does not show. */
function otherErrors(refused: Draft['refused']): string[] {
  return Object.entries(refused)
    .filter(([attribute]) => !shownAttributes.has(attribute))
    .map(([attribute, texts]) => textOfFields({ [attribute]: texts.map((text) => sentenceOf(attribute, text)) }))
}

/** Escape closes an open list and does nothing more. */
function keepEscapeForLists(event: KeyboardEvent): void {
  if (event.key === 'Escape' && event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true')
    event.preventDefault()
}

/** What hears of a form's fields. */
export interface FieldWatch {
  readonly onField: (field: string | null) => void
  readonly onTab: (field: string) => void
}

function watchFields({ onField, onTab }: FieldWatch) {
  return {
    onKeyDownCapture: (event: KeyboardEvent) => {
      keepEscapeForLists(event)
      if (event.key === 'Tab' && !event.shiftKey) onTab(fieldOfTarget(event.target) ?? '')
    },
    onFocusCapture: ({ target }: FocusEvent) => onField(fieldOfTarget(target)),
    onBlurCapture: () => onField(null),
  }
}

/** The field that an element is, or is in. */
function fieldOfTarget(target: EventTarget): string | null {
  return target instanceof Element ? (target.closest<HTMLElement>('[data-field]')?.dataset.field ?? null) : null
}

const fieldOf: Readonly<Record<string, string>> = { occurred_at: 'date' }

function focusFirst(form: HTMLFormElement | null, attributes: readonly string[]): void {
  const wanted = new Set(attributes.map((attribute) => fieldOf[attribute] ?? attribute))
  const first = [...(form?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].find(
    ({ dataset }) => dataset.field !== undefined && wanted.has(dataset.field),
  )
  first?.focus()
}

/** A draft that came back begins where it was refused. Returns the ref of its form. */
function useRefusalFocus(refused: Draft['refused']) {
  const formRef = useRef<HTMLFormElement>(null)
  const names = Object.keys(refused).join(' ')
  useEffect(() => {
    if (names !== '') focusFirst(formRef.current, names.split(' '))
  }, [names])
  return formRef
}

import { Button } from '@mantine/core'
import { useLayoutEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { ExpenseFilter } from '#renderer/api/expenses'
import { dayOf, parseDateInput } from '#renderer/state/date-input'
import { usePreferences } from '#renderer/state/preferences'
import parts from '#renderer/ui/parts.module.css'
import { now } from '#renderer/ui/values/clock'
import { formatDay } from '#renderer/ui/values/format'
import type { SelectedExpenses } from '../list/use-review-selection'
import { useReviewCaller } from '../review-caller'
import planClasses from '#renderer/records/expense/deciding/plan.module.css'
import classes from '../review.module.css'
import { useTakesBack } from '#renderer/records/expense/taken-back'
import { useCards } from '#renderer/api/corporative-cards'
import { type BulkPlan, type EditedAttribute, changeOf, editedNames, mostEdited, planEdit } from './bulk-edit'
import { type BulkForm, BulkFields, changesOf, emptyForm } from './bulk-fields'
import { useBulkEdit, useChosen } from './use-bulk-edit'
import { titleOf } from '#shared/domain/suppliers/purchase'

/** Whether the sheet is open, over what its list is narrowed to. */
export type BulkState = { readonly isOpen: boolean; readonly filter: ExpenseFilter; readonly open: (willOpen: boolean) => void }

/** A sheet at the foot of the list that changes several expenses at once: what stays empty stays as it is, and what will change is said first. */
export function BulkSheet({ selected, filter, onClose }: { selected: SelectedExpenses; filter: ExpenseFilter; onClose: () => void }) {
  const { t } = useTranslation(['review', 'expense', 'ui'])
  const { t: tBulk } = useTranslation('review')
  const timezone = usePreferences((state) => state.timezone)
  const titleId = useId()
  const formRef = useRef<HTMLFormElement>(null)
  const caller = useReviewCaller()
  const [form, setForm] = useState<BulkForm>(emptyForm)
  const change = (part: Partial<BulkForm>) => setForm((before) => ({ ...before, ...part }))
  const edit = useBulkEdit()
  const chosen = useChosen({ selected, filter })
  const cards = useCards(caller.organizationId)
  useLayoutEffect(() => {
    formRef.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [])
  const day = parseDateInput(form.day, dayOf(now(), timezone))
  const isDayWrong = form.day.trim() !== '' && day.kind !== 'ok'
  const changes = changesOf(form, { day: day.kind === 'ok' ? day.date : undefined, cards })
  const plan = Array.isArray(chosen) ? planEdit(chosen, changes, caller.relationTo) : undefined
  const count = plan?.edits.length ?? 0
  const takesBack = useTakesBack(caller.organizationId)
  const taken = plan?.edits.filter(({ expense, body }) => takesBack(expense, changeOf(expense, body))).length ?? 0
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!plan || count === 0 || isDayWrong) return
    onClose()
    void edit(plan.edits)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }
  return (
    <section className={parts.sheet} role="dialog" aria-labelledby={titleId} onKeyDown={onKeyDown}>
      <h2 id={titleId} className={parts.sheetTitle}>
        {t('review:bulk.title', { count: selected.count })}
      </h2>
      {chosen === 'many' ? (
        <p className={planClasses.text}>{t('review:bulk.many', { count: mostEdited })}</p>
      ) : (
        <form ref={formRef} className={classes.bulk} onSubmit={onSubmit}>
          <BulkFields form={form} organizationId={caller.organizationId} isDayWrong={isDayWrong} cards={cards} onChange={change} />
          <p className={planClasses.quiet} aria-live="polite">
            {plan ? previewText(plan, (key, of) => tBulk(`bulk.${key}`, { count: of })) : t('review:bulk.reading')}
          </p>
          {taken > 0 && (
            <p className={planClasses.text} role="status">
              {t('review:bulk.takenBack', { count: taken })}
            </p>
          )}
          {plan && <Samples plan={plan} cards={cards} />}
          <div className={parts.sheetActions}>
            <Button variant="default" onClick={onClose}>
              {t('review:sheet.cancel')}
            </Button>
            <Button type="submit" disabled={count === 0 || isDayWrong}>
              {t('review:bulk.apply', { count })}
            </Button>
          </div>
        </form>
      )}
    </section>
  )
}

/** How many expenses are shown as they will be. */
const mostSamples = 3

/** Some of the expenses, as they are and as they will be. */
function Samples({ plan, cards }: { plan: BulkPlan; cards: ReturnType<typeof useCards> }) {
  const { t } = useTranslation('review')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const shown = (name: EditedAttribute, value: string | number | null | undefined): string => {
    if (value === null || value === undefined || value === '') return '–'
    if (name === 'corporative_card_id') return cards.find(({ id }) => id === value)?.name ?? `#${value}`
    // What is written is a day, what was there is an instant.
    const instant = String(value).replace(/^\d{4}-\d\d-\d\d$/, '$&T00:00:00Z')
    return name === 'occurred_at' ? formatDay(instant, { language, timezone, now: now() }) : String(value)
  }
  return (
    <ul className={classes.samples} aria-label={t('bulk.preview')}>
      {plan.edits.slice(0, mostSamples).map(({ expense, body, back }) => (
        <li key={expense.uid} className={classes.clip}>
          {titleOf(expense) ?? t('noDescription')}:{' '}
          {editedNames
            .filter((name) => name in body)
            .map((name) => `${shown(name, back[name])} → ${shown(name, body[name])}`)
            .join('; ')}
        </li>
      ))}
    </ul>
  )
}

/** What will change, and what is left out and why. */
function previewText({ edits, skipped }: BulkPlan, words: (key: string, count: number) => string): string {
  const parts = editedNames.flatMap((name) => {
    const count = edits.filter(({ body }) => name in body).length
    return count > 0 ? [words(`will.${name}`, count)] : []
  })
  return [...parts, ...[...skipped].map(([kind, count]) => words(`skipped.${kind}`, count))].join(' · ')
}

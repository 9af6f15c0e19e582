import { Button } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldDifference, FieldValue } from '../../state/form-edit'
import type { FormName } from '../../state/form-names'
import { dropEdits, type KeptForm, resumeNext } from '../../state/kept-edits'
import { markDirty, useOpenForms } from '../../state/open-forms'
import { usePreferences } from '../../state/preferences'
import { now } from '../values/clock'
import classes from './draft-notice.module.css'
import { formatMoment, formatTime } from '../values/format'
import { type DraftOfForm, useKeptEdit } from './use-form-draft'

/** The names and formatted values of a form's fields; without `value` as typed. */
export type FieldWords = {
  readonly name: (field: string) => string
  readonly value?: (field: string, value: FieldValue) => string | undefined
}

/**
 * A form's messages about its draft: an earlier edit to resume, changes by others meanwhile, and a key that had to wait. `isAsking`: saving
 * was held, since it replaces such a change.
 */
export function DraftNotice({ draft, words, isAsking }: { draft: DraftOfForm; words?: FieldWords | undefined; isAsking: boolean }) {
  const { offered, difference, resume, discardOffered, isDirty } = draft
  return (
    <>
      {offered && <Offer kept={offered} onResume={resume} onDiscard={discardOffered} />}
      {difference.length > 0 && words && <Difference difference={difference} words={words} isAsking={isAsking} />}
      {(isDirty || offered) && <Held />}
    </>
  )
}

type KeptEditProps = { form: FormName; record: string | number; onResume: () => void; holdsActs?: boolean }

/**
 * Offers an edit that was left, where its record is shown and its form is not open. `onResume` opens the form. `holdsActs`: acts on what
 * is shown wait for an answer, since who decides may take the edit for saved.
 */
export function KeptEditNotice({ form, record, onResume, holdsActs = false }: KeptEditProps) {
  const kept = useKeptEdit(form, record)
  const heldBy = holdsActs ? kept?.id : undefined
  useLayoutEffect(() => (heldBy === undefined ? undefined : markDirty(heldBy, form)), [heldBy, form])
  if (!kept) return null
  const resume = () => {
    resumeNext(kept.id)
    onResume()
  }
  return (
    <>
      <Offer kept={kept} onResume={resume} onDiscard={() => dropEdits([kept.id])} hasFocus={false} />
      {holdsActs && <Held />}
    </>
  )
}

type OfferProps = { kept: KeptForm; onResume: () => void; onDiscard: () => void; hasFocus?: boolean }

function Offer({ kept, onResume, onDiscard, hasFocus = true }: OfferProps) {
  const { t } = useTranslation('ui')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const resumeRef = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (hasFocus) resumeRef.current?.focus({ preventScroll: true })
  }, [hasFocus])
  const moment = formatWhen(kept.at, { language, timezone, now: now() })
  return (
    <div className={classes.notice} role="group" aria-label={t('draft.offered', { moment })}>
      <p className={classes.text}>{t('draft.offered', { moment })}</p>
      <div className={classes.actions}>
        <Button ref={resumeRef} size="compact-sm" onClick={onResume}>
          {t('draft.resume')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onDiscard}>
          {t('draft.discard')}
        </Button>
      </div>
    </div>
  )
}

/** The time of today, else the day too. */
function formatWhen(instant: string, options: Parameters<typeof formatMoment>[1]): string {
  const isToday = formatMoment(instant, options).split(',')[0] === formatMoment(options.now.toISOString(), options).split(',')[0]
  return isToday ? formatTime(instant, options) : formatMoment(instant, options)
}

type DifferenceProps = { difference: readonly FieldDifference[]; words: FieldWords; isAsking: boolean }

function Difference({ difference, words, isAsking }: DifferenceProps) {
  const { t } = useTranslation('ui')
  const write = (field: string, value: FieldValue) => {
    const text = words.value?.(field, value) ?? plain(value)
    return text === '' ? t('settlement.none') : text
  }
  const plain = (value: FieldValue) =>
    typeof value === 'boolean' ? t(value ? 'draft.yes' : 'draft.no') : Array.isArray(value) ? value.join(', ') : String(value ?? '')
  return (
    <div className={classes.notice} role="status">
      <p className={classes.text}>{t('draft.changed')}</p>
      <ul className={classes.lines}>
        {difference.map(({ field, before, now: stored, mine }) => {
          const values = { field: words.name(field), before: write(field, before), now: write(field, stored) }
          return (
            <li key={field}>{mine === undefined ? t('draft.theirs', values) : t('draft.both', { ...values, mine: write(field, mine) })}</li>
          )
        })}
      </ul>
      {isAsking && (
        <p className={classes.held} role="alert" ref={showInForm}>
          {t('draft.again')}
        </p>
      )}
    </div>
  )
}

/** A message at the head of a form that is answered further down. */
const showInForm = (shown: HTMLElement | null) => void shown?.scrollIntoView({ block: 'nearest' })

/** Says which act waits because a form has unsaved changes. */
export function Held() {
  const { t } = useTranslation('ui')
  const held = useOpenForms((state) => state.held)
  if (held === null) return null
  return (
    <p className={classes.held} role="alert" ref={showInForm}>
      {t('draft.held', { act: held })}
    </p>
  )
}

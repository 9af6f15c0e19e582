import { useCallback, useEffect, useMemo } from 'react'
import { useKnownSupplier } from '#renderer/api/readings/supplier-memory'
import { dayOf } from '#renderer/state/date-input'
import type { Draft } from '#renderer/state/draft'
import { findDraft, putDraft, useDrafts } from '#renderer/state/drafts'
import { usePreferences } from '#renderer/state/preferences'
import { now } from '#renderer/ui/values/clock'
import { type FileReadings, useDraftReadings } from './draft-readings'
import {
  type FilledField,
  type ReadValue,
  type ReceiptLine,
  type ReceiptPlace,
  filledFrom,
  lineOf,
  offersOf,
  readFieldsOf,
  valuesOf,
  withSupplier,
} from './values'

/** How many receipts of all drafts were read, or given up, and how many wait for it. */
export interface ReadingProgress {
  readonly read: number
  readonly waiting: number
  /** The drafts whose receipts are being read, by id. */
  readonly reading: ReadonlySet<string>
}

/** What receipts say of the draft in the form. */
export interface DraftReading {
  /** Receipts are being read. */
  readonly isReading: boolean
  /** One took too long, or could not be read. */
  readonly isGivenUp: boolean
  readonly progress: ReadingProgress
  readonly readFields: readonly FilledField[]
  readonly offers: readonly ReadValue[]
  readonly placeOf: (field: string) => ReceiptPlace | undefined
  readonly accept: (offer: ReadValue) => void
  readonly line: ReceiptLine | undefined
  /** Takes the line off the draft, for good. */
  readonly dropLine: () => void
}

/** Fills drafts from their receipts, those that are not in the form too, and says what was read for the one that is. */
export function useReceiptReadings(draft: Draft): DraftReading {
  const drafts = useDrafts((state) => state.drafts)
  const readings = useDraftReadings(drafts)
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const today = dayOf(now(), timezone)
  useFilling(drafts, readings, { language, today })
  const values = useMemo(() => valuesOf(draft, readings, { language, today }), [draft, readings, language, today])
  useSupplierFilling(draft, readings)
  const states = draft.files.flatMap(({ id }) => readings.get(id)?.state ?? [])
  const { id } = draft
  const accept = useCallback(
    ({ field, text, currency }: ReadValue) => {
      const current = findDraft(id)
      if (!current) return
      const form = { ...current.form, [field]: text, ...(currency === undefined ? {} : { currency }) }
      putDraft({ ...current, form, read: { ...current.read, [field]: text } })
    },
    [id],
  )
  return {
    isReading: states.includes('waiting'),
    isGivenUp: states.includes('gave_up') || states.includes('unreadable'),
    progress: progressOf(drafts, readings),
    readFields: readFieldsOf(draft),
    offers: draft.stage.kind === 'editing' ? offersOf(draft, values) : [],
    placeOf: (field) => {
      const own = values.filter((one) => one.field === field)
      return (own.find(({ text }) => text === draft.read[field]) ?? own[0])?.at
    },
    accept,
    line: lineOf(draft, readings, values),
    dropLine: () => {
      const current = findDraft(id)
      if (current) putDraft({ ...current, read: { ...current.read, statement_line_id: '' } })
    },
  }
}

function progressOf(drafts: readonly Draft[], readings: FileReadings): ReadingProgress {
  const states = [...readings.values()].map(({ state }) => state)
  const waiting = states.filter((state) => state === 'waiting').length
  const reading = drafts.filter(({ files }) => files.some((file) => readings.get(file.id)?.state === 'waiting')).map(({ id }) => id)
  return { reading: new Set(reading), waiting, read: states.filter((state) => state !== 'unknown' && state !== 'off').length - waiting }
}

function useFilling(
  drafts: readonly Draft[],
  readings: FileReadings,
  reading: { language: Parameters<typeof valuesOf>[2]['language']; today: string },
): void {
  const { language, today } = reading
  useEffect(() => {
    for (const { id } of drafts) {
      const draft = findDraft(id)
      if (draft?.stage.kind !== 'editing' || draft.form.kind !== 'monetary') continue
      const filled = filledFrom(draft, valuesOf(draft, readings, { language, today }))
      if (filled) putDraft(filled)
    }
  }, [drafts, readings, language, today])
}

/**
 * A supplier whose tax number was read is named as the register has it, also where the receipt or its invoice spells it another way; its usual
 * tag comes too where none is chosen, and its usual currency where the receipt names none.
 */
function useSupplierFilling(draft: Draft, readings: FileReadings): void {
  const { form, read, stage } = draft
  const isAsked = stage.kind === 'editing' && read.supplier_tax_id !== undefined && read.supplier_tax_id === form.supplier_tax_id
  const known = useKnownSupplier(form.payer_id, isAsked ? form.supplier_tax_id : '')
  const isCurrencyRead = draft.files.some((file) => readings.get(file.id)?.fields.some(({ field }) => field === 'currency'))
  const { id } = draft
  useEffect(() => {
    const current = known && findDraft(id)
    const filled = current && withSupplier(current, known, { isCurrencyRead })
    if (filled) putDraft(filled)
  }, [known, id, isCurrencyRead])
}

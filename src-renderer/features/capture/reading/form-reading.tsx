import { type ReactNode, useState } from 'react'
import type { Draft } from '#renderer/state/draft'
import { ReadNotes } from './read-notes'
import { type ReadingProgress, useReceiptReadings } from './use-receipt-readings'
import type { ReceiptPlace } from './values'

/** What receipts say of the draft in the form, next to its fields: `place` is the one of the field that has the focus, or of one that was clicked. */
export function useFormReading(draft: Draft): {
  readonly place: ReceiptPlace | undefined
  readonly notes: ReactNode
  readonly progress: ReadingProgress
  readonly watch: { onField: (field: string | null) => void; onTab: (field: string) => void }
} {
  const reading = useReceiptReadings(draft)
  const [field, setField] = useState<string | null>(null)
  const onTab = (left: string) => {
    const offer = reading.offers.find((one) => one.field === left)
    if (offer) reading.accept(offer)
  }
  return {
    place: field === null ? undefined : reading.placeOf(field),
    progress: reading.progress,
    notes: draft.files.length > 0 ? <ReadNotes key="readings" reading={reading} onShow={setField} /> : null,
    watch: { onField: setField, onTab },
  }
}

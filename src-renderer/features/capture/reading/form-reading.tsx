import { type ReactNode, useState } from 'react'
import type { Draft } from '#renderer/state/draft'
import { CardLine } from './card-line'
import { FieldMarks, ReadingStatus } from './field-marks'
import { type ReadingProgress, useReceiptReadings } from './use-receipt-readings'
import type { FilledField, ReceiptPlace } from './values'

/**
 * What receipts say of the draft in the form, next to its fields: `marksOf` one of them, `place` the one of the field that has the focus, or of one
 * that was clicked, `line` the card line that they surely are.
 */
export function useFormReading(draft: Draft): {
  readonly place: ReceiptPlace | undefined
  readonly status: ReactNode
  readonly marksOf: (field: FilledField) => ReactNode
  readonly progress: ReadingProgress
  readonly line: { readonly id: number; readonly field: ReactNode } | undefined
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
    line: reading.line && {
      id: reading.line.id,
      field: <CardLine line={reading.line} organizationId={draft.form.payer_id} onDrop={reading.dropLine} />,
    },
    status: draft.files.length > 0 ? <ReadingStatus key="readings" reading={reading} /> : null,
    marksOf: (of) => <FieldMarks field={of} reading={reading} onShow={setField} />,
    watch: { onField: setField, onTab },
  }
}

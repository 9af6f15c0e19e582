import { z } from 'zod'
import { exportBody, exportRepresentation, leftOut } from '#shared/contract/instance/exports'
import { layout } from '#shared/domain/exports/layout'
import { languages } from '#shared/domain/locales'
import { handoverTask } from '../handovers/handover-task'

/** Reads what was written down. */
export const exportRecord = exportRepresentation.omit({ message: true, url: true }).extend({
  user_id: z.int(),
  locale: z.enum(languages),
  asked: exportBody,
  handover: handoverTask.nullable().default(null),
  layout: layout.nullable().default(null),
  left_out: leftOut.nullable().default(null),
  /** The code of a text. */
  reason: z.string().nullable(),
})

/** What is written down of an export. */
export type ExportRecord = z.infer<typeof exportRecord>

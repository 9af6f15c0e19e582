import { type Layout, isDatevLayout } from '#shared/domain/exports/layout'
import type { Reader } from '#main/store/core/store'
import { listExpenses } from '#main/store/records/expenses/expense-reader'
import { payerIs, withNames } from '../exports/export-rows'
import { datevPreview } from '../exports/formats/datev'
import { layoutLines } from '../exports/formats/own-layout'

const shownRows = 5

/** The first lines of a file in a layout, with the newest expenses that the user sees in an organization, even if none of them is booked. */
export async function previewLayout(
  reader: Reader,
  { organization_id, user_id, layout }: { organization_id: number; user_id: number; layout: Layout },
): Promise<string[]> {
  const filter = { conditions: [payerIs(organization_id)], search_tags: '', has_tag: undefined, search: undefined }
  const { rows } = await listExpenses(reader, user_id, { filter, sort: [], limit: shownRows, offset: 0 })
  const named = await withNames(reader, rows, { user_id, withReceipts: false })
  const lines = isDatevLayout(layout) ? datevPreview(named, layout) : layoutLines(named, layout)
  return Array.fromAsync(lines, (line) => line.trimEnd())
}

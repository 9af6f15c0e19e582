import { useTranslation } from 'react-i18next'
import type { ExpenseFilter } from '#renderer/api/expenses'
import type { ExportableList } from '#renderer/records/export/exportable-list'
import type { FilterNames } from '#renderer/records/filters/filter-choices'
import { isOfOneStatus, type ReviewView } from '#renderer/records/filters/review-view'
import { useTermWords } from '#renderer/records/filters/term-words'
import type { SelectedExpenses } from './use-review-selection'
import type { Rows } from './use-rows'

/** What of the list, or of its selection, can be exported, and in words what the list is narrowed to. */
export function useExportableList({
  view,
  filter,
  rows,
  selected,
  names,
  organizationId,
}: {
  view: ReviewView
  filter: ExpenseFilter
  rows: Rows
  selected: SelectedExpenses
  names: FilterNames
  organizationId: number | null
}): ExportableList {
  const { t } = useTranslation(['review', 'status'])
  const termWords = useTermWords(names.people, view.terms)
  const { queue, terms } = view
  const ids = selected.named.map(({ id }) => id)
  const words = [
    isOfOneStatus(queue) ? t(`status:${queue}`) : t(`review:queue.${queue}`),
    ...terms.map((term) => {
      const { attribute, operator = '', value } = termWords(term)
      return `${attribute} ${operator} ${value}`
    }),
  ]
  return {
    filter,
    count: rows.snapshot.count,
    words: words.join(' · '),
    organizationId,
    ...(selected.count > 0 && { selection: { count: selected.count, ...(selected.isAll ? { except_ids: ids } : { ids }) } }),
  }
}

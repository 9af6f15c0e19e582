import type { Expense } from '#shared/contract/expenses'
import { plainFields } from '#shared/records/expense'
import type { GridColumn } from '../../ui/grid/grid-types'

/** A column for each plain text of an expense; users choose to show them. */
export function plainColumns<R>(t: (key: string) => string, expenseOf: (row: R) => Expense): GridColumn<R>[] {
  return plainFields.map((name) => ({
    id: name,
    header: t(`expense:fields.${name}`),
    width: 160,
    minWidth: 80,
    isOptional: true,
    render: (row) => {
      const text = expenseOf(row)[name] ?? ''
      return <span title={text}>{text}</span>
    },
  }))
}

import type { Expense } from '#shared/contract/expenses'
import { purposeOf } from '#shared/domain/suppliers/purchase'
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
      const expense = expenseOf(row)
      // Its title names the supplier where it says nothing else.
      const text = (name === 'supplier_name' && purposeOf(expense) === '' ? undefined : expense[name]) ?? ''
      return <span title={text}>{text}</span>
    },
  }))
}

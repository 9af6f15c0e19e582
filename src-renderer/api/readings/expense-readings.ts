import { useQuery } from '@tanstack/react-query'
import { type ReceiptReading, receiptReadingRoutes } from '#shared/contract/instance/readings'
import { call } from '../client'
import { expenseKeys } from '../expenses'

/** What the receipts of an expense say, as far as they were read; none while it is not known. */
export function useExpenseReadings(expense_id: number, { isEnabled }: { isEnabled: boolean }): readonly ReceiptReading[] {
  const { data } = useQuery({
    queryKey: [...expenseKeys.one(expense_id), 'readings'],
    queryFn: ({ signal }) => call(receiptReadingRoutes.ofExpense, { params: { expense_id }, signal }),
    enabled: isEnabled,
    // A reading is a help: without it, the receipt is read by eye.
    retry: false,
  })
  return data?.readings ?? []
}

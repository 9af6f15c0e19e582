import { useQuery } from '@tanstack/react-query'
import { expenseRoutes } from '#shared/contract/expenses'
import { call } from '../client'
import { expenseKeys } from '../expenses'

/** How the newest expense of an organization with a tax number names its supplier, and its tags; undefined without one, or while it is looked up. */
export function useExpenseOfSupplier(
  organizationId: number | null,
  supplier_tax_id: string,
): { readonly supplier_name: string | null; readonly tags: readonly string[] } | undefined {
  const q = { payer_id_eq: organizationId, supplier_tax_id_eq: supplier_tax_id }
  const { data } = useQuery({
    queryKey: [...expenseKeys.all, 'of-supplier', organizationId, supplier_tax_id],
    queryFn: ({ signal }) => call(expenseRoutes.list, { query: { q, per_page: 1 }, signal }),
    enabled: organizationId !== null && supplier_tax_id !== '',
    select: ({ expenses: [newest] }) =>
      newest && { supplier_name: newest.supplier_name, tags: newest.tags.split(', ').filter((name) => name !== '') },
    retry: false,
  })
  return data
}

import { useQuery } from '@tanstack/react-query'
import { expenseRoutes } from '#shared/contract/expenses'
import { supplierRoutes } from '#shared/contract/organization-records/suppliers'
import { toTaxNumber } from '#shared/domain/tax-ids'
import { call } from '../client'
import { expenseKeys } from '../expenses'
import { organizationRecordApi } from '../organization-records'
import { useTags } from '../tags'
import { keyRoots } from '../keys'

/** Every supplier of an organization, and their writes. */
export const { useAll: useSuppliers, useWrite: useSupplierWrite } = organizationRecordApi('suppliers', supplierRoutes)

/** What is usual for expenses with a supplier. */
export interface KnownSupplier {
  readonly name: string
  readonly tags: readonly string[]
  readonly currency: string | null
  /** The register has it: its name is exact. */
  readonly isRegistered: boolean
}

/**
 * The supplier of an organization with a tax number: from the register, else as the newest expense has it, such as an imported one. Undefined
 * without one, or while it is looked up.
 */
export function useKnownSupplier(organizationId: number | null, taxNumber: string): KnownSupplier | undefined {
  const key = organizationId === null ? '' : toTaxNumber(taxNumber)
  const { data: registered } = useQuery({
    queryKey: [...keyRoots.organizations, organizationId, 'suppliers', 'of', key],
    queryFn: ({ signal }) => {
      const params = { organization_id: organizationId ?? 0 }
      return call(supplierRoutes.list, { params, query: { q: { tax_number_eq: key }, per_page: 1 }, signal })
    },
    enabled: key !== '',
    select: ({ suppliers: [found = null] }) => found,
    retry: false,
  })
  const { data: tags = [] } = useTags(registered?.tag_id == null ? null : organizationId)
  const earlier = useEarlierSupplier(organizationId, registered === null ? taxNumber : '')
  if (!registered) return earlier
  const { name, currency, tag_id } = registered
  return { name, currency, isRegistered: true, tags: tags.flatMap((tag) => (tag.id === tag_id && tag.usable ? [tag.name] : [])) }
}

function useEarlierSupplier(organizationId: number | null, supplier_tax_id: string): KnownSupplier | undefined {
  const q = { payer_id_eq: organizationId, supplier_tax_id_eq: supplier_tax_id }
  const { data } = useQuery({
    queryKey: [...expenseKeys.all, 'of-supplier', organizationId, supplier_tax_id],
    queryFn: ({ signal }) => call(expenseRoutes.list, { query: { q, per_page: 1 }, signal }),
    enabled: organizationId !== null && supplier_tax_id !== '',
    select: ({ expenses: [newest] }): KnownSupplier | undefined =>
      newest?.supplier_name
        ? { name: newest.supplier_name, tags: newest.tags.split(', ').filter((name) => name !== ''), currency: null, isRegistered: false }
        : undefined,
    retry: false,
  })
  return data
}

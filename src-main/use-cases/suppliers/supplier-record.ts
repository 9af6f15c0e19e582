import type { z } from 'zod'
import type { supplierRoutes } from '#shared/contract/organization-records/suppliers'
import { invalid } from '#shared/domain/errors'
import { toTaxNumber } from '#shared/domain/tax-ids'
import { newColumns, toColumns } from '#shared/records/columns'
import { supplier } from '#shared/records/supplier'
import {
  deleteOrganizationRecord,
  insertOrganizationRecord,
  updateOrganizationRecord,
} from '#main/store/records/organizations/organization-records'
import { findSupplier } from '#main/store/records/organizations/supplier-reader'
import { assertCurrencyInUse } from '../access/amounts'
import { assertKnown } from '../access/assert-known'
import type { OrganizationRecord } from '../organization-records/plain-organization-record'

/** Suppliers: tax numbers are stored without punctuation, and are unique in an organization. */
export const supplierRecord: OrganizationRecord<'suppliers', z.output<typeof supplierRoutes.create.body>> = {
  table: 'suppliers',
  action: 'suppliers.write',
  assertValid: async (tx, { organization_id, row, input: { tax_number: given, tag_id, currency } }) => {
    if (currency != null) assertCurrencyInUse(currency, { kept: row?.currency })
    const asked = tag_id == null ? [] : [tag_id]
    const before = row?.tag_id == null ? null : String(row.tag_id)
    await assertKnown(tx, { organization_id, lists: [{ attribute: 'tag_id', of: 'tags', before, asked }] })
    if (given === undefined) return
    const tax_number = toTaxNumber(given)
    if (tax_number === '') throw invalid('tax_number', 'blank')
    const holder = await findSupplier(tx, { organization_id, tax_number })
    if (holder && holder.id !== row?.id) throw invalid('tax_number', 'taken')
  },
  insert: (tx, organization_id, input) =>
    insertOrganizationRecord(tx, supplier, {
      ...newColumns(supplier.attributes, input),
      organization_id,
      tax_number: toTaxNumber(input.tax_number),
      currency: input.currency ?? null,
    }),
  update: (tx, row, { tax_number, currency, ...input }) =>
    updateOrganizationRecord(tx, supplier, {
      row,
      changes: {
        ...toColumns(supplier.attributes, input),
        ...(tax_number !== undefined && { tax_number: toTaxNumber(tax_number) }),
        ...(currency !== undefined && { currency }),
      },
    }),
  remove: (tx, row) => deleteOrganizationRecord(tx, supplier, row),
}

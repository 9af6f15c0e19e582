import type { Row } from '#db/schema'
import { isCompanyNumber, toTaxNumber } from '#shared/domain/tax-ids'
import { supplier } from '#shared/records/supplier'
import { toOrganizationRow } from '#main/store/records/organizations/organization-row'
import { insertOrganizationRecord, updateOrganizationRecord } from '#main/store/records/organizations/organization-record-writer'
import { findSupplier } from '#main/store/records/organizations/supplier-reader'
import type { Tx } from '#main/store/core/store'

/** An expense as the register of suppliers learns from it. */
type Lesson = Pick<Row<'expenses'>, 'payer_id' | 'supplier_name' | 'supplier_tax_id' | 'currency'>

/**
 * Teaches the organization's register what an expense says that someone saves: the name, currency and first tag of a supplier with this tax
 * number; the latest is right. Numbers of persons are not kept: every member reads the register.
 */
export async function learnSupplier(tx: Tx, expense: Lesson, tags: ReadonlyArray<{ readonly id: number }> = []): Promise<void> {
  const { payer_id: organization_id, supplier_name, currency } = expense
  const name = supplier_name?.trim() ?? ''
  const tax_number = toTaxNumber(expense.supplier_tax_id ?? '')
  if (name === '' || !isCompanyNumber(tax_number)) return
  const tag_id = tags[0]?.id
  const known = await findSupplier(tx, { organization_id, tax_number })
  if (!known) {
    await insertOrganizationRecord(tx, supplier, { organization_id, name, tax_number, currency, tag_id: tag_id ?? null })
    return
  }
  const changes = { name, currency, ...(tag_id !== undefined && { tag_id }) }
  await updateOrganizationRecord(tx, supplier, { row: toOrganizationRow<'suppliers'>(known), changes })
}

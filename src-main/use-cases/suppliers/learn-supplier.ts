import type { Row } from '#db/schema'
import { isCompanyNumber, toTaxNumber } from '#shared/domain/tax-ids'
import { supplier } from '#shared/records/supplier'
import {
  insertOrganizationRecord,
  toOrganizationRow,
  updateOrganizationRecord,
} from '#main/store/records/organizations/organization-records'
import { findSupplier } from '#main/store/records/organizations/supplier-reader'
import type { Tx } from '#main/store/core/store'

/** What the register of suppliers takes from an expense. */
type Lesson = Pick<Row<'expenses'>, 'payer_id' | 'currency'> & Partial<Pick<Row<'expenses'>, 'supplier_name' | 'supplier_tax_id'>>
type Tags = ReadonlyArray<{ readonly id: number }>

/**
 * Updates the organization's register from an expense that someone saves: the supplier's name, currency and first tag, by tax number; the latest
 * values win. Tax numbers of persons are not stored, as every member reads the register.
 */
export async function learnSupplier(tx: Tx, expense: Lesson, tags: Tags = []): Promise<void> {
  const said = saidOf(expense, tags)
  if (!said) return
  const known = await findSupplier(tx, said)
  if (!known) {
    await insertOrganizationRecord(tx, supplier, said)
    return
  }
  const { name, currency, tag_id } = said
  const changes = { name, currency, ...(tag_id !== null && { tag_id }) }
  await updateOrganizationRecord(tx, supplier, { row: toOrganizationRow<'suppliers'>(known), changes })
}

/** Registers unknown suppliers of imported expenses, with the most frequent spelling. Known suppliers keep the values that a person saved. */
export async function meetSuppliers(tx: Tx, expenses: ReadonlyArray<{ readonly values: Lesson; readonly tags: Tags }>): Promise<void> {
  const said = expenses.flatMap(({ values, tags }) => saidOf(values, tags) ?? [])
  for (const ofOne of Map.groupBy(said, ({ tax_number }) => tax_number).values()) {
    const [usual = []] = [...Map.groupBy(ofOne, ({ name }) => name).values()].toSorted((a, b) => b.length - a.length)
    const [first] = usual
    if (first && !(await findSupplier(tx, first))) await insertOrganizationRecord(tx, supplier, first)
  }
}

function saidOf({ payer_id: organization_id, supplier_name, supplier_tax_id, currency }: Lesson, tags: Tags) {
  const name = supplier_name?.trim() ?? ''
  const tax_number = toTaxNumber(supplier_tax_id ?? '')
  if (name === '' || !isCompanyNumber(tax_number)) return undefined
  return { organization_id, name, tax_number, currency, tag_id: tags[0]?.id ?? null }
}

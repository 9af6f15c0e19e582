import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { type ListFilter, namedPayer } from '#shared/contract/filters'
import { formatTaxId } from '#shared/domain/tax-ids'
import { listedTexts } from '../../core/dialect'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const findByNumber = statement<{ organization_id: number; tax_number: string }, Row<'suppliers'>>((db, p) =>
  db
    .selectFrom('suppliers')
    .selectAll()
    .where('organization_id', '=', p('organization_id'))
    .where('tax_number', '=', p('tax_number'))
    .where('deleted_at', 'is', null),
)

/** An organization's supplier with this tax number (letters and digits only). */
export function findSupplier(reader: Reader, key: { organization_id: number; tax_number: string }): Promise<Row<'suppliers'> | undefined> {
  return reader.first(findByNumber, key)
}

/** Expenses of one supplier with the same spelling. */
interface Spelled {
  readonly key: string | number | null
  readonly spelling: string | null
  readonly count: number
}

/**
 * The names of suppliers by key: from the registers of the user's organizations by tax number, oldest organization first; otherwise the most frequent
 * spelling in these expenses, alphabetical in a tie; otherwise the number.
 */
export async function listSupplierNames(
  reader: Reader,
  spelled: readonly Spelled[],
  { user_id, filter }: { user_id: number; filter: ListFilter },
): Promise<Map<string, string>> {
  const byKey = Map.groupBy(spelled, ({ key }) => key)
  const keys = [...byKey.keys()].filter((key) => typeof key === 'string')
  const organization_id = namedPayer(filter)
  const registered = await reader.db
    .selectFrom('suppliers')
    .innerJoin('memberships', 'memberships.organization_id', 'suppliers.organization_id')
    .select(['suppliers.tax_number', 'suppliers.name'])
    .where('memberships.user_id', '=', user_id)
    .where('memberships.deleted_at', 'is', null)
    .where('suppliers.deleted_at', 'is', null)
    .where('suppliers.tax_number', 'in', sql<string>`(${listedTexts(JSON.stringify(keys))})`)
    .$if(organization_id !== undefined, (query) => query.where('suppliers.organization_id', '=', organization_id ?? 0))
    .orderBy('suppliers.organization_id', 'desc')
    .execute()
  const names = new Map(registered.map(({ tax_number, name }) => [tax_number, name]))
  return new Map(keys.map((key) => [key, names.get(key) ?? mostUsed(byKey.get(key) ?? []) ?? formatTaxId(key)]))
}

function mostUsed(spelled: readonly Spelled[]): string | undefined {
  const counts = [...Map.groupBy(spelled, ({ spelling }) => spelling)].flatMap(([spelling, parts]) =>
    spelling ? [{ spelling, count: parts.reduce((sum, { count }) => sum + count, 0) }] : [],
  )
  return counts.toSorted((a, b) => b.count - a.count || (a.spelling < b.spelling ? -1 : 1))[0]?.spelling
}

import type { NotNull } from 'kysely'
import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

/** A stored sheet of rates. */
export type RateSheet = Pick<Row<'exchange_rates'>, 'source' | 'currency' | 'rates'>

const listSheets = statement<{ organization_id: number }, RateSheet>((db, p) =>
  db
    .selectFrom('exchange_rates')
    .select(['source', 'currency', 'rates'])
    .where('organization_id', '=', p('organization_id'))
    .where('deleted_at', 'is', null)
    .orderBy('id'),
)

/** All exchange-rate sheets of an organization, oldest first. */
export function listRateSheets(reader: Reader, organization_id: number): Promise<RateSheet[]> {
  return reader.all(listSheets, { organization_id })
}

const listKept = statement<{ organization_id: number }, { name: string; rates: string }>((db, p) =>
  db
    .selectFrom('closings')
    .select(['name', 'rates'])
    .where('organization_id', '=', p('organization_id'))
    .where('reopening', 'is', null)
    .where('deleted_at', 'is', null)
    .where('rates', 'is not', null)
    .$narrowType<{ rates: NotNull }>(),
)

/** The rates kept by an organization's closed months, as text by month. */
export async function listKeptRates(reader: Reader, organization_id: number): Promise<ReadonlyMap<string, string>> {
  return new Map((await reader.all(listKept, { organization_id })).map(({ name, rates }) => [name, rates]))
}

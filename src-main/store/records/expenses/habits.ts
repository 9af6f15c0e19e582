import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { frequentSupplier, regularPrice } from '#shared/domain/repeats'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

/** Something paid; `first` and `last`: the days from and up to which it is compared with others, which do not count. */
type Paid = Pick<Row<'expenses'>, 'payer_id' | 'receiver_id' | 'supplier_name' | 'amount_minor' | 'currency' | 'occurred_at'> & {
  readonly first: string
  readonly last: string
}
type Around = Paid & { readonly from: string; readonly to: string; readonly most: number }

/** What the claimant paid to the supplier around those days. */
const listAround = (isSamePrice: boolean) =>
  statement<Around, { id: number }>((db, p) =>
    db
      .selectFrom('expenses')
      .select('id')
      .where('payer_id', '=', p('payer_id'))
      .where('receiver_id', '=', p('receiver_id'))
      .where('occurred_at', '>=', p('from'))
      .where('occurred_at', '<', p('to'))
      .where(sql<SqlBool>`not (occurred_at >= ${p('first')} and occurred_at < ${p('last')})`)
      .where(sql<SqlBool>`supplier_name is not distinct from ${p('supplier_name')}`)
      .$if(isSamePrice, (query) => query.where('amount_minor', '=', p('amount_minor')).where('currency', '=', p('currency')))
      .where('deleted_at', 'is', null)
      .limit(p('most')),
  )
const listSamePrice = listAround(true)
const listAnyPrice = listAround(false)

/** Whether the claimant pays this amount to this supplier regularly. */
export async function isRegularPrice(reader: Reader, paid: Paid): Promise<boolean> {
  const { times, days } = regularPrice
  return (await reader.all(listSamePrice, { ...paid, ...around(paid, days), most: times })).length >= times
}

/** Whether the claimant buys from this supplier so often that two equal amounts are chance. An unknown supplier is none. */
export async function isFrequentSupplier(reader: Reader, paid: Paid): Promise<boolean> {
  const { times, days } = frequentSupplier
  if (paid.supplier_name === null) return false
  return (await reader.all(listAnyPrice, { ...paid, ...around(paid, days), most: times })).length >= times
}

function around({ occurred_at }: Paid, days: number): { from: string; to: string } {
  return { from: dayAfter(occurred_at, -days), to: dayAfter(occurred_at, days + 1) }
}

/** The day of an instant, moved by days. */
export function dayAfter(occurred_at: string, days: number): string {
  const date = new Date(occurred_at.slice(0, 10))
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

import { type SqlBool, sql } from 'kysely'
import { frequentSupplier, regularPrice } from '#shared/domain/repeats'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'
import { type Candidate, isRecordedBefore } from './compared-columns'

/**
 * A payment. `first` to `last`: the days on which it is compared with others, which do not count here. `also`: the claimant's other payments that are
 * not stored yet.
 */
type Paid = Candidate & { readonly first: string; readonly last: string; readonly also: readonly Candidate[] }
type Around = Omit<Paid, 'also'> & { readonly from: string; readonly to: string; readonly most: number }

/** The claimant's payments to the supplier around those days that were recorded before: later ones change no finding. */
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
      .where(isRecordedBefore(p))
      .limit(p('most')),
  )
const listSamePrice = listAround(true)
const listAnyPrice = listAround(false)

const isSamePrice = (one: Candidate, other: Candidate) => one.amount_minor === other.amount_minor && one.currency === other.currency

interface Often {
  readonly times: number
  readonly days: number
  readonly isPrice?: boolean
}

async function isOften(reader: Reader, { also, ...paid }: Paid, { times, days, isPrice = false }: Often): Promise<boolean> {
  const [from, to] = [dayAfter(paid.occurred_at, -days), dayAfter(paid.occurred_at, days + 1)]
  const unstored = also.filter(
    (one) =>
      one.receiver_id === paid.receiver_id &&
      one.supplier_name === paid.supplier_name &&
      (one.occurred_at < paid.first ? one.occurred_at >= from : one.occurred_at >= paid.last && one.occurred_at < to) &&
      (!isPrice || isSamePrice(one, paid)),
  )
  const list = isPrice ? listSamePrice : listAnyPrice
  return unstored.length + (await reader.all(list, { ...paid, from, to, most: times })).length >= times
}

/** Whether the claimant pays this amount to this supplier regularly. */
export function isRegularPrice(reader: Reader, paid: Paid): Promise<boolean> {
  return isOften(reader, paid, { ...regularPrice, isPrice: true })
}

/** Whether the claimant buys from this supplier so often that equal amounts are chance. False for an unknown supplier. */
export async function isFrequentSupplier(reader: Reader, paid: Paid): Promise<boolean> {
  return paid.supplier_name !== null && isOften(reader, paid, frequentSupplier)
}

/** The day of an instant plus a number of days. */
export function dayAfter(occurred_at: string, days: number): string {
  const date = new Date(occurred_at.slice(0, 10))
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

import { sql } from 'kysely'
import { listSplit } from '#shared/domain/repeats/parts'
import { nullsFirst } from '../../core/dialect'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'
import { type Candidate, candidateColumns, isRecordedBefore } from './compared-columns'

/** `first` to `last` are dates. */
interface Claimed extends Pick<Candidate, 'payer_id' | 'receiver_id' | 'currency' | 'id' | 'created_at'> {
  readonly first: string
  readonly last: string
  readonly most: number
}

const listClaimed = (isEarlier: boolean) =>
  statement<Claimed, Candidate>((db, p) =>
    db
      .selectFrom('expenses')
      .select(candidateColumns)
      .where('payer_id', '=', p('payer_id'))
      .where('receiver_id', '=', p('receiver_id'))
      .where('occurred_at', '>=', p('first'))
      .where('occurred_at', '<', p('last'))
      .where('currency', '=', p('currency'))
      .where('deleted_at', 'is', null)
      .where('status', '!=', sql.lit('rejected'))
      .where('id', '!=', p('id'))
      .$if(isEarlier, (query) => query.where(isRecordedBefore(p)))
      .orderBy(nullsFirst(sql.ref('occurred_at')))
      .limit(p('most')),
  )
/** Exported so that a test can check its index. */
export const listEarlierClaimed = listClaimed(true)
const listAllClaimed = listClaimed(false)
/** Among more expenses of a claimant in a week, some add up by chance. */
const mostClaimed = 60

/** The claimant's other expenses that form one purchase with this one, claimed once whole and once in two parts: among earlier ones, or all. */
export async function listParts(
  reader: Reader,
  { also, isEarlier, ...expense }: Candidate & Omit<Claimed, 'most'> & { readonly also: readonly Candidate[]; readonly isEarlier: boolean },
): Promise<Candidate[]> {
  if (expense.kind === 'distance') return []
  const stored = await reader.all(isEarlier ? listEarlierClaimed : listAllClaimed, { ...expense, most: mostClaimed + 1 })
  const { receiver_id, currency, first, last } = expense
  const unstored = also.filter(
    (one) => one.receiver_id === receiver_id && one.currency === currency && one.occurred_at >= first && one.occurred_at < last,
  )
  const others = [...stored, ...unstored]
  return others.length > mostClaimed ? [] : listSplit(expense, others)
}

import { sql } from 'kysely'
import { listSplit } from '#shared/domain/repeats/parts'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'
import { type Candidate, type Compared, candidateColumns } from './compared-columns'

/** Dates from `first` up to `last`. */
interface Claimed extends Pick<Candidate, 'payer_id' | 'receiver_id' | 'currency'> {
  readonly first: string
  readonly last: string
  readonly except_id: number
  readonly most: number
}

const listClaimed = statement<Claimed, Candidate>((db, p) =>
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
    .where('id', '!=', p('except_id'))
    .orderBy('occurred_at')
    .limit(p('most')),
)
/** Of more expenses of a claimant within a week some add up by chance. */
const mostClaimed = 60

/** The claimant's other expenses with which an expense is one purchase, claimed whole and in two parts. */
export async function listParts(
  reader: Reader,
  { payer_id, receiver_id, currency, first, last, except_id, ...rest }: Compared & Omit<Claimed, 'most'>,
): Promise<Candidate[]> {
  if (rest.kind === 'distance') return []
  const claimed = { payer_id, receiver_id, currency, first, last, except_id, most: mostClaimed + 1 }
  const others = await reader.all(listClaimed, claimed)
  return others.length > mostClaimed ? [] : listSplit({ ...rest, receiver_id, currency }, others)
}

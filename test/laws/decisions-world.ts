import fc from 'fast-check'
import type { Instance } from '#test/support/instance'

/** The people of the world. */
export const names = ['ada', 'bo', 'cleo', 'max', 'moe', 'ann', 'mel'] as const
/** One of them. */
export type Name = (typeof names)[number]

/** Max approves up to BRL 1,000, Moe what has the tag Board, others everything; above BRL 5,000 someone else looks first. In minor units. */
const limits = { max: 100_000, second: 500_000 }

const who = fc.constantFrom(...names)
const claimant = fc.constantFrom<Name>('mel', 'mel', 'mel', 'max', 'ada')
/** Mostly those who may: what is refused at once shows little. */
const decider = fc.constantFrom<Name>('ada', 'bo', 'cleo', 'cleo', 'max', 'moe', 'ann')
const amount = fc.constantFrom(90, 900, 4000, 9000)
const fields = fc.record(
  {
    amount,
    currency: fc.constantFrom('BRL', 'USD'),
    occurred_at: fc.constantFrom('2026-03-04T00:00:00Z', '2026-03-05T00:00:00Z'),
    tags: fc.constantFrom('', 'Board', 'Trip', 'Board, Trip'),
    description: fc.constantFrom('Hotel', 'Taxi'),
    receiver: claimant,
    payer: fc.constantFrom('acme', 'home'),
    distance: fc.constantFrom(10, 20),
  },
  { requiredKeys: [] },
)
const way = fc.constantFrom('PATCH', 'PUT', 'batch', 'sync', 'import')
const status = fc.constantFrom(
  'analyzing',
  'analyzed',
  'analyzed',
  'approved',
  'approved',
  'approved',
  'approved',
  'noncompliant',
  'pending',
  'rejected',
  'liquidated',
)
const which = fc.nat({ max: 2 })
/** Something that someone does. */
export const step = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('record' as const), who, payer: fc.constantFrom('acme', 'home'), receiver: claimant, amount }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('edit' as const), who, which, way, fields }) },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('move' as const), who: decider, which, status, part: fc.constantFrom(1, 1, 0.5) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('receipt' as const), who, which, act: fc.constantFrom('attach', 'replace', 'remove') }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pay' as const), who: decider, which, more: fc.constantFrom(0, 0, 0, 50) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('repay' as const),
      who,
      which,
      amount,
      receiver: who,
      payer: fc.constantFrom('acme', 'home'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('report' as const), who: decider, which, upTo: fc.nat({ max: 4 }) }) },
)
/** As {@link step}. */
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** What is decided: all of it that must not differ from what was decided. */
export interface Facts {
  readonly payer_id: number
  readonly receiver_id: number
  readonly money: string
  readonly minor: number
  readonly isBoard: boolean
  readonly receipts: readonly string[]
}
/** The last decision: by whom, about what, and who had looked at the same before. */
export interface Decision {
  readonly by: Name
  readonly facts: Facts
  readonly looked_by: Name | undefined
}

/** What happened, and what is stored of it. */
export class World {
  constructor(readonly acme: Instance) {}

  readonly ids: number[] = []
  readonly paid: number[] = []
  readonly decided = new Map<number, Decision>()
  readonly looks = new Map<number, Decision>()
  readonly authors = new Map<number, Name>()

  async rows() {
    const { db } = this.acme.app.store.reader
    const ids = [0, ...this.ids]
    const rows = await db.selectFrom('expenses').selectAll().where('id', 'in', ids).execute()
    const tags = await db
      .selectFrom('expense_tags')
      .innerJoin('tags', 'tags.id', 'tag_id')
      .select(['expense_id', 'name'])
      .where('expense_id', 'in', ids)
      .execute()
    const files = await db
      .selectFrom('attachments')
      .select(['expense_id', 'id', 'file_name'])
      .where('expense_id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute()
    return rows.map((row) => ({
      row,
      facts: {
        ...{ payer_id: row.payer_id, receiver_id: row.receiver_id, minor: row.currency === 'BRL' ? row.amount_minor : 0 },
        money: [row.kind, row.amount_minor, row.currency, row.occurred_at, row.distance].join(' '),
        isBoard: tags.some(({ expense_id, name }) => expense_id === row.id && name === 'Board'),
        receipts: files
          .filter(({ expense_id }) => expense_id === row.id)
          .map(({ id, file_name }) => `${id} ${file_name}`)
          .toSorted(),
      } satisfies Facts,
    }))
  }

  async payments() {
    const { db } = this.acme.app.store.reader
    const settled = await db
      .selectFrom('reimbursements')
      .selectAll()
      .where('id', 'in', [0, ...this.paid])
      .where('deleted_at', 'is', null)
      .execute()
    const joined = await db
      .selectFrom('expenses')
      .selectAll()
      .where('reimbursement_id', 'in', [0, ...this.paid])
      .execute()
    return settled.map((row) => ({ row, expenses: joined.filter(({ reimbursement_id }) => reimbursement_id === row.id) }))
  }
}

/** Whether what is there is what was decided: receipts may have been added. */
export const isSame = (one: Facts, other: Facts) =>
  JSON.stringify({ ...one, receipts: [] }) === JSON.stringify({ ...other, receipts: [] }) &&
  one.receipts.every((file) => other.receipts.includes(file))

/** Whether a person may approve this in the organization with rules, as its rules are told above. */
export function mayApprove(
  { by, looked_by }: Decision,
  facts: Facts,
  { author, receiver }: { author: Name | undefined; receiver: Name | undefined },
): boolean {
  const isOwn = by === receiver || by === author
  const isWithin = by === 'max' ? facts.minor > 0 && facts.minor <= limits.max : by === 'moe' ? facts.isBoard : by !== 'ann' && by !== 'mel'
  const isLookedAt = facts.minor <= limits.second || (looked_by !== undefined && looked_by !== by && looked_by !== receiver)
  return !isOwn && isWithin && isLookedAt
}

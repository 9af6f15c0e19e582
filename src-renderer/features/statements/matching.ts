import type { Expense } from '#shared/contract/expenses'
import type { StatementLineRepresentation, StatementMatching, StatementProposal } from '../../api/statements/statements'

type Line = StatementLineRepresentation

/** A receipt in the user's inbox that may be a line's; `is_sure`: it is the only one. */
export type LineReceipt = StatementMatching['receipts'][number]

/** A row of the screen: a proposal with its lines and expenses, a line without an expense, or an expense without a line. */
export type MatchingRow =
  | {
      readonly kind: 'proposal'
      readonly key: string
      readonly proposal: StatementProposal
      readonly lines: Line[]
      readonly expenses: Expense[]
    }
  | {
      readonly kind: 'line'
      readonly key: string
      readonly line: Line
      readonly receipts: readonly LineReceipt[]
      readonly askedAt: string | undefined
    }
  | { readonly kind: 'expense'; readonly key: string; readonly expense: Expense }

/** The four lists of the screen, in their order. */
export const sections = ['sure', 'possible', 'linesLeft', 'expensesLeft'] as const
export type Section = (typeof sections)[number]

/** What the server found; the counts are more than what is listed where that is only the beginning. */
interface Found {
  readonly proposals: readonly StatementProposal[]
  readonly lines: readonly Line[]
  readonly expenses: readonly Expense[]
  readonly receipts: StatementMatching['receipts']
  readonly asked: StatementMatching['asked']
  readonly proposals_count: number
  readonly lines_count: number
  readonly expenses_count: number
}

/** How many rows of a list follow once those that are listed are worked off. */
export function countLater(
  { proposals, lines_count, expenses_count, proposals_count }: Found,
  lists: Lists,
): Readonly<Record<Section, number>> {
  const proposalsLater = proposals_count - proposals.length
  // Those that are sure come first.
  const isAllSure = proposals.every(({ is_sure }) => is_sure)
  return {
    sure: isAllSure ? proposalsLater : 0,
    possible: isAllSure ? 0 : proposalsLater,
    linesLeft: lines_count - lists.linesLeft.length,
    expensesLeft: expenses_count - lists.expensesLeft.length,
  }
}

type Lists = Readonly<Record<Section, readonly MatchingRow[]>>

/** What the server found, as the rows of the four lists. Of proposals that are not sure, each line has its likeliest. */
export function toSections({ proposals, lines, expenses, receipts, asked }: Found): Lists {
  const lineOf = new Map(lines.map((line) => [line.id, line]))
  const expenseOf = new Map(expenses.map((expense) => [expense.id, expense]))
  const rowOf = (proposal: StatementProposal): MatchingRow => ({
    ...{ kind: 'proposal', key: `p${proposal.line_ids.join('.')}-${proposal.claims.map(({ id }) => id).join('.')}`, proposal },
    lines: proposal.line_ids.flatMap((id) => lineOf.get(id) ?? []),
    expenses: proposal.claims.flatMap(({ id }) => expenseOf.get(id) ?? []),
  })
  const askedAt = new Map(asked.map(({ statement_line_id, at }) => [statement_line_id, at]))
  const receiptsOf = Map.groupBy(receipts, ({ statement_line_id }) => statement_line_id)
  const taken = new Set<number>()
  const isFirst = ({ line_ids }: StatementProposal) => {
    const isNew = line_ids.every((id) => !taken.has(id))
    for (const id of line_ids) taken.add(id)
    return isNew
  }
  const sure = proposals.filter(({ is_sure }) => is_sure)
  const claimed = new Set(sure.flatMap(({ claims }) => claims.map(({ id }) => id)))
  const possible = proposals.filter((proposal) => !proposal.is_sure && isFirst(proposal))
  for (const { claims } of possible) for (const { id } of claims) claimed.add(id)
  const shownLines = new Set([...sure, ...possible].flatMap(({ line_ids }) => line_ids))
  return {
    sure: sure.map(rowOf),
    possible: possible.map(rowOf),
    linesLeft: lines
      .filter(({ id }) => !shownLines.has(id))
      .map((line) => ({
        ...{ kind: 'line', key: `l${line.id}`, line },
        ...{ receipts: receiptsOf.get(line.id) ?? [], askedAt: askedAt.get(line.id) },
      })),
    expensesLeft: expenses.filter(({ id }) => !claimed.has(id)).map((expense) => ({ kind: 'expense', key: `e${expense.id}`, expense })),
  }
}

/** Where an expense is made of a receipt in the inbox, with the line's card. */
export function captureOf({ corporative_card_id }: Line, capture_ids: readonly number[]): string {
  return `/capture?captures=${capture_ids.join()}&card=${corporative_card_id ?? ''}`
}

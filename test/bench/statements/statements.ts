import { parseAmount } from '#shared/domain/money'
import { type Proposal, matchLines } from '#shared/domain/statements/match'
import { fileSource } from '#main/tables/table-source'
import { planImport } from '#main/tables/plan-import'
import { generateRows } from '../repeats/repeat-rows'
import { type PlanRow, type StatementPlan, planStatement } from './statement-plan'

/** How many lines were generated over how many expenses, and what of the proposals that are sure is right. */
export interface StatementFigures {
  readonly lines: number
  readonly expenses: number
  /** Lines that belong to expenses. */
  readonly due: number
  readonly sure: number
  readonly right: number
  readonly precision: number
  readonly recall: number
  readonly wrong: readonly string[]
  readonly missed: Readonly<Record<string, number>>
  readonly ms: number
}

const linesGenerated = 5_000

/** The rows of a CSV file, or generated ones. */
export function readPlanRows(file?: string): PlanRow[] {
  const rows =
    file === undefined ? generateRows(12_010) : [...planImport(fileSource(file)).rows()].flatMap((row) => (row.kind === 'row' ? [row] : []))
  return rows.map(({ receiver_name, occurred_at, amount, supplier_name, description }) => {
    const read = parseAmount(amount, 'BRL')
    if (read.kind !== 'ok') throw new Error(`An amount cannot be read: ${amount}`)
    return {
      receiver_name,
      occurred_at,
      amount_minor: read.amount_minor,
      supplier_name: supplier_name ?? '',
      description: description ?? '',
    }
  })
}

/** Matches generated lines to the rows and counts what is right of what is sure. */
export function measureStatements(
  rows: readonly PlanRow[],
  { seed, count = linesGenerated }: { seed: number; count?: number },
): StatementFigures {
  const plan = planStatement(rows, { count, seed })
  const start = performance.now()
  const proposals = matchLines(plan.lines, plan.claims, { usualRate: plan.usualRate })
  const ms = performance.now() - start
  return { ...judge(plan, proposals), ms }
}

/** What tells two equal purchases of a day apart is nothing that anyone sees. */
function sameness({ claims }: StatementPlan): (id: number) => string {
  const byId = new Map(claims.map((claim) => [claim.id, claim]))
  return (id) => {
    const { holder_id, day, amount_minor, currency, supplier } = byId.get(id) ??
      claims[0] ?? { holder_id: 0, day: 0, amount_minor: 0, currency: '', supplier: '' }
    return [holder_id, day, amount_minor, currency, supplier].join('|')
  }
}

function judge(plan: StatementPlan, proposals: readonly Proposal[]): Omit<StatementFigures, 'ms'> {
  const keyOf = sameness(plan)
  const keys = (ids: readonly number[]) => ids.map(keyOf).toSorted().join()
  const isRight = ({ kind, lines, claims }: Proposal) => {
    const due = lines.flatMap(({ id }) => plan.truth.get(id) ?? [])
    return kind === 'cancelled' ? due.length === 0 : keys(due) === keys(claims.map(({ id }) => id))
  }
  const sure = proposals.filter((proposal) => proposal.isSure)
  const right = sure.filter(isRight)
  const found = new Set(right.flatMap(({ kind, lines }) => (kind === 'cancelled' ? [] : lines.map(({ id }) => id))))
  const due = plan.lines.filter(({ id }) => (plan.truth.get(id) ?? []).length > 0)
  const byId = new Map(plan.claims.map((claim) => [claim.id, claim]))
  const missed: Record<string, number> = {}
  for (const line of due) {
    if (found.has(line.id)) continue
    const ids = plan.truth.get(line.id) ?? []
    const claim = byId.get(ids[0] ?? 0)
    const kind =
      ids.length > 1 ? 'split' : claim?.currency !== 'BRL' ? 'foreign' : claim.amount_minor === line.amount_minor ? 'same amount' : 'tip'
    missed[kind] = (missed[kind] ?? 0) + 1
  }
  const say = ({ kind, lines, claims, score, evidence }: Proposal) =>
    `${kind} ${score} [${evidence.join(' ')}] ${lines.map(({ text, amount_minor, day }) => `${text} ${amount_minor} ${day}`).join(' + ')} → ${claims.map((claim) => `${claim.supplier ?? ''} ${claim.amount_minor} ${claim.currency} ${claim.day}`).join(' + ')}`
  return {
    ...{ lines: plan.lines.length, expenses: plan.claims.length, due: due.length, sure: sure.length, right: right.length, missed },
    precision: right.length / Math.max(1, sure.length),
    recall: found.size / Math.max(1, due.length),
    wrong: sure
      .filter((proposal) => !isRight(proposal))
      .slice(0, 20)
      .map(say),
  }
}

/** Prints the figures. */
export function printStatements(figures: StatementFigures, say: (text: string) => void): void {
  const { lines, expenses, due, sure, right, precision, recall, missed, ms } = figures
  say(`${lines} lines over ${expenses} expenses; ${due} lines have an expense.`)
  say(`Sure: ${sure}, right ${right}: precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}.`)
  say(
    `Missed: ${
      Object.entries(missed)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(', ') || 'none'
    }.`,
  )
  say(`${ms.toFixed(0)} ms.`)
  for (const wrong of figures.wrong) say(`  wrong: ${wrong}`)
}

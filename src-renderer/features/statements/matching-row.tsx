import { Button } from '@mantine/core'
import { memo, type ReactNode, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Expense } from '#shared/contract/expenses'
import type { StatementLineRepresentation, StatementProposal } from '../../api/statements/statements'
import { usePreferences } from '../../state/preferences'
import { Amount } from '../../ui/values/amount'
import { formatMoney } from '../../ui/values/format'
import { Instant } from '../../ui/values/instant'
import type { MatchingRow } from './matching'
import classes from './statements.module.css'

/** What can be done with a row. */
export interface RowActions {
  readonly act: (row: MatchingRow) => void
  readonly dismiss: (row: MatchingRow) => void
  readonly focus: (row: MatchingRow) => void
}

type MatchingRowProps = {
  ref: Ref<HTMLLIElement>
  row: MatchingRow
  /** Its place in its list, of which only a part is drawn. */
  index: number
  count: number
  topPx: number
  isFocused: boolean
  isDisabled: boolean
  /** The same object at each render. */
  actions: RowActions
}

/** One row of the four lists: what the bank says at the left, what Outlay knows at the right. */
export const MatchingRowView = memo(function MatchingRowView(props: MatchingRowProps) {
  const { ref, row, index, count, topPx, isFocused, isDisabled, actions } = props
  return (
    <li
      ref={ref}
      className={classes.row}
      style={{ transform: `translateY(${topPx}px)` }}
      data-index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      data-focused={isFocused || undefined}
      aria-current={isFocused || undefined}
      onMouseDown={() => actions.focus(row)}
    >
      {row.kind === 'proposal' && <ProposalRow row={row} isDisabled={isDisabled} actions={actions} />}
      {row.kind === 'line' && (
        <>
          <div className={classes.sides}>
            <LineFacts line={row.line} />
          </div>
          <LineActs row={row} isDisabled={isDisabled} actions={actions} />
        </>
      )}
      {row.kind === 'expense' && (
        <div className={classes.sides}>
          <ExpenseFacts expense={row.expense} />
        </div>
      )}
    </li>
  )
})

type ActsProps<Kind extends MatchingRow['kind']> = { row: Extract<MatchingRow, { kind: Kind }>; isDisabled: boolean; actions: RowActions }

function ProposalRow({ row, isDisabled, actions }: ActsProps<'proposal'>) {
  const { proposal, lines, expenses } = row
  const { t } = useTranslation('statements')
  const name = lines[0]?.name ?? ''
  return (
    <>
      <div className={classes.sides}>
        <Side>
          {lines.map((line) => (
            <LineFacts key={line.id} line={line} />
          ))}
        </Side>
        <Side>
          {expenses.map((expense) => (
            <ExpenseFacts key={expense.id} expense={expense} />
          ))}
        </Side>
      </div>
      <div className={classes.foot}>
        <span className={classes.quiet}>
          {proposal.kind !== 'pair' && <strong>{t(`kind.${proposal.kind}`)} · </strong>}
          {proposal.evidence.map((one) => t(`evidence.${one}`)).join(' · ')}
          <Difference proposal={proposal} lines={lines} expenses={expenses} />
        </span>
        <span className={classes.quiet}>{t('score', { score: proposal.score })}</span>
        <Button
          size="compact-sm"
          variant="default"
          disabled={isDisabled}
          aria-label={t('acceptFor', { name })}
          onClick={() => actions.act(row)}
        >
          {t('accept')}
        </Button>
      </div>
    </>
  )
}

/** What the card was charged beyond the expense: it is shown, and nothing is changed by it. */
function Difference({
  proposal: { kind, difference },
  lines,
  expenses,
}: {
  proposal: StatementProposal
  lines: readonly StatementLineRepresentation[]
  expenses: readonly Expense[]
}) {
  const { t } = useTranslation('statements')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const [line] = lines
  const [expense] = expenses
  if (kind === 'cancelled' || !line || !expense) return null
  const say = (amount: number) => formatMoney({ amount, currency: line.currency }, { language, display })
  if (difference === null) return <strong> · {t('abroad', { amount: say(line.amount) })}</strong>
  if (difference === 0) return null
  return <strong> · {t(difference > 0 ? 'difference' : 'differenceLess', { amount: say(Math.abs(difference)) })}</strong>
}

function Side({ children }: { children: ReactNode }) {
  return <div className={classes.side}>{children}</div>
}

function LineFacts({ line }: { line: StatementLineRepresentation }) {
  const { t } = useTranslation('statements')
  return (
    <div className={classes.facts}>
      <span className={classes.name}>{line.name}</span>
      <span className={classes.quiet}>
        <Instant value={line.occurred_at} /> · {t(`lineKind.${line.line_kind}`)} · {line.user.name}
      </span>
      <Amount amount={line.amount} currency={line.currency} />
    </div>
  )
}

function ExpenseFacts({ expense }: { expense: Expense }) {
  return (
    <div className={classes.facts}>
      <Link href={`/expenses/${expense.id}`} className={classes.name}>
        {expense.supplier_name || expense.description || `#${expense.id}`}
      </Link>
      <span className={classes.quiet}>
        <Instant value={expense.occurred_at} /> · #{expense.id} · {expense.receiver.name}
      </span>
      <Amount amount={expense.amount} currency={expense.currency} />
    </div>
  )
}

function LineActs({ row, isDisabled, actions }: ActsProps<'line'>) {
  const { line } = row
  const { t } = useTranslation('statements')
  return (
    <div className={classes.foot}>
      <span className={classes.spring} />
      {line.amount > 0 && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isDisabled}
          aria-label={t('newExpenseFor', { name: line.name })}
          onClick={() => actions.act(row)}
        >
          {t('newExpense')}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        disabled={isDisabled}
        aria-label={t('noExpenseFor', { name: line.name })}
        onClick={() => actions.dismiss(row)}
      >
        {t('noExpense')}
      </Button>
    </div>
  )
}

import { Button } from '@mantine/core'
import { Paperclip } from 'lucide-react'
import { memo, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Expense } from '#shared/contract/expenses'
import type { StatementLineRepresentation, StatementProposal } from '../../api/statements/statements'
import { ExpenseName } from '../../records/expense/expense-name'
import { ReceiptMark } from '../../records/expense/receipt-mark'
import { usePreferences } from '../../state/preferences'
import { Amount } from '../../ui/values/amount'
import { now } from '../../ui/values/clock'
import { formatDay, formatMoney } from '../../ui/values/format'
import { Instant } from '../../ui/values/instant'
import { PersonAvatar } from '../../ui/values/person-avatar'
import { type MatchingRow, captureOf } from './matching'
import classes from './statements.module.css'

/** What can be done with a row. */
export interface RowActions {
  readonly act: (row: MatchingRow) => void
  readonly dismiss: (row: MatchingRow) => void
  readonly split: (row: MatchingRow) => void
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

/** One row of the four lists: the line, the expense, why they belong together, and what can be done; in two lines where it is narrow. */
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
      {row.kind === 'line' && <LineRow row={row} isDisabled={isDisabled} actions={actions} />}
      {row.kind === 'expense' && <ExpenseRow expense={row.expense} />}
    </li>
  )
})

type PartProps<Kind extends MatchingRow['kind']> = { row: Extract<MatchingRow, { kind: Kind }>; isDisabled: boolean; actions: RowActions }

function ProposalRow({ row, isDisabled, actions }: PartProps<'proposal'>) {
  const { proposal, lines, expenses } = row
  const { t } = useTranslation('statements')
  const why = [
    ...(proposal.kind === 'pair' ? [] : [t(`kind.${proposal.kind}`)]),
    ...proposal.evidence.map((one) => t(`evidence.${one}`)),
  ].join(' · ')
  const score = t('score', { score: proposal.score })
  return (
    <>
      <div className={classes.side}>
        {lines.map((line) => (
          <LineFacts key={line.id} line={line} />
        ))}
      </div>
      <div className={classes.side}>
        {expenses.map((expense) => (
          <ExpenseFacts
            key={expense.id}
            expense={expense}
            days={lines.map(({ occurred_at }) => occurred_at)}
            isAmountShown={proposal.kind !== 'pair' || proposal.difference !== 0}
          />
        ))}
      </div>
      <div className={classes.why} data-sure={proposal.is_sure || undefined} title={`${why} · ${score}`}>
        <Difference proposal={proposal} lines={lines} expenses={expenses} />
        <span className={classes.reasons}>{why}</span>
        <span className={classes.score}>{score}</span>
      </div>
      <Button
        className={classes.act}
        size="compact-xs"
        variant="subtle"
        disabled={isDisabled}
        aria-label={t('acceptFor', { name: lines[0]?.name ?? '' })}
        onClick={() => actions.act(row)}
      >
        {t('accept')}
      </Button>
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
  if (kind === 'cancelled' || !line || expenses.length === 0 || difference === 0) return null
  const say = (amount: number) => formatMoney({ amount, currency: line.currency }, { language, display })
  return (
    <strong className={classes.whole}>
      {difference === null
        ? t('abroad', { amount: say(line.amount) })
        : t(kind === 'refund' ? 'refundLeft' : difference > 0 ? 'difference' : 'differenceLess', { amount: say(Math.abs(difference)) })}
    </strong>
  )
}

function LineFacts({ line: { name, occurred_at, line_kind, amount, currency } }: { line: StatementLineRepresentation }) {
  const { t } = useTranslation('statements')
  return (
    <div className={classes.facts}>
      <span className={classes.day}>
        <Instant value={occurred_at} />
      </span>
      <span className={classes.text} title={name}>
        {name}
      </span>
      {line_kind !== 'charge' && <span className={classes.quiet}>{t(`lineKind.${line_kind}`)}</span>}
      <span className={classes.sum}>
        <Amount amount={amount} currency={currency} />
      </span>
    </div>
  )
}

/** What an expense says, and where it differs from the line: the day, unless it is one of these, and the amount. */
function ExpenseFacts({ expense, days, isAmountShown }: { expense: Expense; days: readonly string[]; isAmountShown: boolean }) {
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const dayOf = (instant: string) => formatDay(instant, { language, timezone, now: now() })
  const isOfDays = days.some((day) => dayOf(day) === dayOf(expense.occurred_at))
  const number = `#${expense.id}`
  return (
    <div className={classes.facts}>
      <Person name={expense.receiver.name} />
      <Link href={`/expenses/${expense.id}`} className={classes.link}>
        <ExpenseName expense={expense} untitled={number} />
      </Link>
      <span className={classes.quiet}>{number}</span>
      {!isOfDays && (
        <span className={classes.quiet}>
          <Instant value={expense.occurred_at} />
        </span>
      )}
      {isAmountShown && <Amount amount={expense.amount} currency={expense.currency} />}
      <ReceiptMark expense={expense} />
    </div>
  )
}

/** A person by their initials; by name on hover and for screen readers. */
function Person({ name }: { name: string }) {
  return (
    <span className={classes.person} title={name}>
      <PersonAvatar name={name} sizePx={20} />
      <span className="visually-hidden">{name}</span>
    </span>
  )
}

function LineRow({ row, isDisabled, actions }: PartProps<'line'>) {
  const { line, receipts, askedAt } = row
  const { t } = useTranslation('statements')
  return (
    <>
      <div className={classes.side}>
        <LineFacts line={line} />
      </div>
      <div className={`${classes.side} ${classes.facts}`}>
        <Person name={line.user.name} />
        {receipts.length === 0 && <span className={`${classes.quiet} ${classes.text}`}>{t('onCard.open')}</span>}
        {receipts.map(({ capture_ids, file_name, is_sure }) => (
          <Link
            key={capture_ids.join()}
            href={captureOf(line, capture_ids)}
            className={`${classes.link} ${classes.receipt}`}
            title={t(is_sure ? 'receipt' : 'receiptMaybe', { name: file_name })}
          >
            <Paperclip size={13} aria-hidden /> {t(is_sure ? 'receipt' : 'receiptMaybe', { name: file_name })}
          </Link>
        ))}
        {askedAt !== undefined && (
          <span className={classes.quiet}>
            {t('asked')} <Instant value={askedAt} />
          </span>
        )}
      </div>
      <div className={classes.acts}>
        {line.amount > 0 && (
          <Button
            size="compact-xs"
            variant="subtle"
            disabled={isDisabled}
            aria-label={t('newExpenseFor', { name: line.name })}
            onClick={() => actions.act(row)}
          >
            {t('newExpense')}
          </Button>
        )}
        {line.amount > 0 && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            disabled={isDisabled}
            aria-label={t('splitFor', { name: line.name })}
            onClick={() => actions.split(row)}
          >
            {t('split')}
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          disabled={isDisabled}
          aria-label={t('noExpenseFor', { name: line.name })}
          onClick={() => actions.dismiss(row)}
        >
          {t('noExpense')}
        </Button>
      </div>
    </>
  )
}

function ExpenseRow({ expense }: { expense: Expense }) {
  const { t } = useTranslation('statements')
  return (
    <>
      <div className={`${classes.side} ${classes.facts}`}>
        <span className={classes.day}>
          <Instant value={expense.occurred_at} />
        </span>
        <span className={`${classes.quiet} ${classes.text}`}>{t('noLine')}</span>
        <span className={classes.sum}>
          <Amount amount={expense.amount} currency={expense.currency} />
        </span>
      </div>
      <div className={classes.side}>
        <ExpenseFacts expense={expense} days={[expense.occurred_at]} isAmountShown={false} />
      </div>
    </>
  )
}

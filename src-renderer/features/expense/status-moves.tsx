import { Button, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { needsApprovedAmount, type ExpenseStatus } from '#shared/domain/expense-status'
import { actOnSaved } from '../../state/open-forms'
import { expenseArea } from '../../records/expense/expense-moves'
import { AboveFullView } from '../../ui/panes/above-full-view'
import { KeptEditNotice } from '../../ui/form/draft-notice'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { useUndoKeys } from '../../ui/feedback/use-undo'
import { ActKey } from './act-key'
import type { ExpenseAccess } from './expense-access'
import classes from './expense.module.css'
import { useOfferedStatuses } from './expense-writes'
import { MoveForm, moveRecord, type MoveAsk } from './move-form'
import { useMove } from './use-move'

/** The offered moves, most wanted first. `part` approves less than the claimed amount. */
const order = [
  'approved',
  'part',
  'rejected',
  'pending',
  'awaiting_analysis',
  'noncompliant',
  'analyzed',
  'analyzing',
  'liquidated',
] as const
type Choice = (typeof order)[number]

const keysOf: Partial<Record<Choice, string>> = { approved: 'a', part: 'p', rejected: 'r', pending: 'n' }
/** The letters of labels that fit on one line of the detail at 1,280 px, next to their keys. */
const mostLetters = 45

/** The moves that are buttons: at most four that fit on one line. On a phone there is room for two, and approving in part is not one of them. */
function buttonsOf(choices: readonly Choice[], { isPhone, labelOf }: { isPhone: boolean; labelOf: (choice: Choice) => string }): Choice[] {
  if (isPhone) return choices.filter((choice) => choice !== 'part').slice(0, 2)
  const lettersTo = (index: number) => choices.slice(0, index + 1).reduce((sum, choice) => sum + labelOf(choice).length, 0)
  return choices.slice(0, 4).filter((_choice, index) => lettersTo(index) <= mostLetters)
}

/** What has to be asked before a move, if anything. */
function askOf(expense: Expense, choice: Choice): MoveAsk | undefined {
  switch (choice) {
    case 'part':
      return { status: 'approved', asks: 'amount' }
    case 'liquidated':
      return { status: choice, asks: needsApprovedAmount(expense.status, choice) ? 'amount' : 'nothing' }
    case 'pending':
    case 'rejected':
      return { status: choice, asks: 'reason' }
    case 'noncompliant':
      return { status: choice, asks: 'tolerance' }
    default:
      return undefined
  }
}

function choicesOf(offered: readonly ExpenseStatus[]): Choice[] {
  return order.filter((choice) => offered.includes(choice === 'part' ? 'approved' : choice))
}

/** The moves that the server offers: at one press where nothing has to be asked, else with a form in place. */
export function StatusMoves({ expense, access, hasKeys }: { expense: Expense; access: ExpenseAccess; hasKeys: boolean }) {
  const { t } = useTranslation('expense')
  const { data: offered = [] } = useOfferedStatuses(expense, access.relation)
  const isPhone = useMediaQuery('(max-width: 599px)', undefined, { getInitialValueInEffect: false })
  const [ask, setAsk] = useState<MoveAsk | null>(null)
  const { move, isMoving, error, forget } = useMove(expense, () => setAsk(null))
  const choices = choicesOf(offered)
  useUndoKeys(expenseArea, { scope: 'expense-undo', title: t('moves.label') })
  const choose = (choice: Choice) => {
    const next = askOf(expense, choice)
    forget()
    if (next) setAsk(next)
    else if (choice === 'approved') void move({ kind: 'approve' })
    else if (choice === 'awaiting_analysis' || choice === 'analyzing' || choice === 'analyzed') void move({ kind: 'move', status: choice })
  }
  useShortcuts({ scope: 'expense-moves', title: t('moves.label') }, [
    ...choices.flatMap((choice) => {
      const keys = hasKeys ? keysOf[choice] : undefined
      return keys ? [{ id: choice, keys, label: labelOf(choice), run: () => choose(choice), when: () => !isMoving, inFull: true }] : []
    }),
  ])
  function labelOf(choice: Choice): string {
    if (choice === 'awaiting_analysis' && access.relation.is_receiver && (expense.status === 'pending' || expense.status === 'rejected'))
      return t('moves.send')
    return choice === 'analyzing' && (expense.status === 'approved' || expense.status === 'rejected')
      ? t('moves.reopen')
      : t(`moves.${choice}`)
  }
  if (choices.length === 0) return null
  if (ask)
    return (
      <AboveFullView>
        <MoveForm
          key={`${ask.status} ${ask.asks}`}
          expense={expense}
          ask={ask}
          error={error}
          isMoving={isMoving}
          onMove={(decision, onStored) => void move(decision, onStored)}
          onCancel={() => setAsk(null)}
        />
      </AboveFullView>
    )
  const shown = buttonsOf(choices, { isPhone, labelOf })
  const rest = choices.filter((choice) => !shown.includes(choice))
  const buttons = (
    <div className={classes.moves} role="group" aria-label={t('moves.label')}>
      {choices.map((choice) => {
        const left = askOf(expense, choice)
        return left && <KeptEditNotice key={choice} form="expense-move" record={moveRecord(expense, left)} onResume={() => setAsk(left)} />
      })}
      {shown.map((choice, index) => {
        const keys = keysOf[choice]
        return (
          <Button
            key={choice}
            id={index === 0 ? 'expense-move' : undefined}
            variant={choice === 'approved' ? 'filled' : 'default'}
            disabled={isMoving}
            onClick={(event) => {
              // By the second click of a double click another button may be there.
              if (event.detail < 2) actOnSaved(labelOf(choice), () => choose(choice))
            }}
          >
            {choice === 'part' && <span aria-hidden>{t('moves.partShort')}</span>}
            <span className={choice === 'part' ? 'visually-hidden' : undefined}>{labelOf(choice)}</span>
            {keys && <ActKey keys={keys} />}
          </Button>
        )
      })}
      {rest.length > 0 && (
        <Menu position="top-start">
          <Menu.Target>
            <Button variant="default" disabled={isMoving} aria-label={t('moves.more')} title={t('moves.more')}>
              <Ellipsis size={16} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {rest.map((choice) => (
              <Menu.Item key={choice} onClick={() => actOnSaved(labelOf(choice), () => choose(choice))}>
                {labelOf(choice)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {error && (
        <p className={classes.moveError} role="alert">
          {error}
        </p>
      )}
    </div>
  )
  return hasKeys ? <AboveFullView>{buttons}</AboveFullView> : buttons
}

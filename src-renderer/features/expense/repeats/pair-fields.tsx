import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { purposeOf } from '#shared/domain/suppliers/purchase'
import { plainFields } from '#shared/records/expense'
import { Amount } from '#renderer/ui/values/amount'
import { Instant } from '#renderer/ui/values/instant'
import { differingParts } from './differing-parts'
import classes from './repeats.module.css'

interface Compared {
  readonly name: string
  readonly valueOf: (expense: Expense) => string | number | null
  readonly show?: (expense: Expense) => ReactNode
}

const compared: readonly Compared[] = [
  {
    name: 'amount',
    valueOf: ({ amount, currency }) => `${String(amount)} ${currency}`,
    show: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
  { name: 'occurred_at', valueOf: ({ occurred_at }) => occurred_at, show: ({ occurred_at }) => <Instant value={occurred_at} /> },
  { name: 'receiver', valueOf: ({ receiver }) => receiver.name },
  { name: 'description', valueOf: purposeOf },
  ...plainFields.map((name) => ({ name, valueOf: (expense: Expense) => expense[name] })),
  { name: 'tags', valueOf: ({ tags }) => tags },
  { name: 'created_at', valueOf: ({ created_at }) => created_at, show: ({ created_at }) => <Instant value={created_at} show="moment" /> },
]

/** Whether two expenses claim the same in every field: only when they were recorded may differ. */
export function claimsSame(one: Expense, other: Expense): boolean {
  return compared.every(({ name, valueOf }) => name === 'created_at' || valueOf(one) === valueOf(other))
}

/** The fields of both expenses, line by line; where they differ they are marked, and where they do not they are quiet. */
export function PairFields({ one, other }: { one: Expense; other: Expense }) {
  const { t } = useTranslation(['repeats', 'expense'])
  const lines = compared.filter(({ valueOf }) => [one, other].some((expense) => (valueOf(expense) ?? '') !== ''))
  return (
    <table className={classes.fields}>
      <thead>
        <tr>
          <th scope="row">
            <span className="visually-hidden">{t('field')}</span>
          </th>
          <th scope="col">#{one.id}</th>
          <th scope="col">#{other.id}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, valueOf, show = valueOf }) => {
          const differs = valueOf(one) !== valueOf(other)
          const isText = show === valueOf
          return (
            <tr key={name} data-same={!differs || undefined}>
              <th scope="row">
                {t(`expense:fields.${name}`)}
                {differs && <span className="visually-hidden"> ({t('differs')})</span>}
              </th>
              {[one, other].map((expense) => (
                <td key={expense.id}>
                  {!differs ? (
                    show(expense)
                  ) : isText ? (
                    <Marked text={valueOf(expense)} other={valueOf(expense === one ? other : one)} />
                  ) : (
                    <mark>{show(expense)}</mark>
                  )}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

type Value = string | number | null

/** A text of one expense, with the words marked that the other's text lacks. */
function Marked({ text, other }: { text: Value; other: Value }) {
  if (text === null || text === '') return <mark>—</mark>
  return differingParts(String(text), String(other ?? '')).map((part, index) =>
    part.differs ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
  )
}

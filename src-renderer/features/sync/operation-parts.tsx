import { CircleCheck, Hourglass, RefreshCw, TriangleAlert, Undo2, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ReplicaOperation } from '#shared/contract/replica'
import { Amount } from '../../ui/amount'
import { Instant } from '../../ui/instant'
import { StatusBadge } from '../../ui/status-badge'
import type { DifferenceLine, Value } from './difference-lines'
import classes from './sync.module.css'
import { useAttributeName } from './use-sentence'

const icons: Readonly<Record<ReplicaOperation['state'], LucideIcon>> = {
  pending: Hourglass,
  sent: RefreshCw,
  acknowledged: CircleCheck,
  conflict: Undo2,
  rejected: TriangleAlert,
  parked: TriangleAlert,
  quarantined: TriangleAlert,
}

/** Where an operation is, by icon and word. */
export function OperationState({ state }: Pick<ReplicaOperation, 'state'>) {
  const { t } = useTranslation('sync')
  const Icon = icons[state]
  return (
    <span className={classes.state} title={t(`state.${state}`)}>
      <Icon size={14} aria-hidden />
      <span className={classes.clip}>{t(`state.${state}`)}</span>
    </span>
  )
}

/** A value of a record, written as what it is. */
export function ValueText({ value }: { value: Value }) {
  const { t } = useTranslation('sync')
  switch (value.kind) {
    case 'none':
      return <span className={classes.quiet}>{t('value.none')}</span>
    case 'money':
      return <Amount amount={value.amount} currency={value.currency} />
    case 'status':
      return <StatusBadge status={value.status} />
    case 'instant':
      return <Instant value={value.instant} />
    case 'flag':
      return t(value.flag ? 'value.yes' : 'value.no')
    case 'text':
      return <span className="tabular">{value.text}</span>
  }
}

/** What the table of differences is given. `hasMine`: two people changed the same. */
export type DifferencesProps = { lines: readonly DifferenceLine[]; hasMine: boolean }

/** The differences side by side: as it was seen, as the person wanted it, as it is. */
export function Differences({ lines, hasMine }: DifferencesProps) {
  const { t } = useTranslation('sync')
  const nameOf = useAttributeName()
  return (
    <table className={classes.differences}>
      <thead>
        <tr>
          <th scope="col">{t('difference.attribute')}</th>
          <th scope="col">{t(hasMine ? 'difference.before' : 'difference.seen')}</th>
          {hasMine && <th scope="col">{t('difference.mine')}</th>}
          <th scope="col">{t(hasMine ? 'difference.theirs' : 'difference.now')}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ attribute, base, mine, theirs }) => (
          <tr key={attribute}>
            <th scope="row">{nameOf(attribute)}</th>
            <td>
              <ValueText value={base} />
            </td>
            {hasMine && (
              <td className={classes.wanted}>
                <ValueText value={mine} />
              </td>
            )}
            <td className={classes.wanted}>
              <ValueText value={theirs} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

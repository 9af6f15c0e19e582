import { CircleCheck, Hourglass, RefreshCw, TriangleAlert, Undo2, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ReplicaOperation } from '#shared/contract/instance/replica'
import { attributeName } from '../../api/field-errors'
import { ValueText, type ValueWords } from '../../ui/values/value-text'
import { cameOf, returnOf } from './answer'
import { toDifferenceLines, type DifferenceLine } from './difference-lines'
import classes from './sync.module.css'

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

function useValueWords(): ValueWords {
  const { t } = useTranslation('sync')
  return { none: t('value.none'), yes: t('value.yes'), no: t('value.no') }
}

/** The first difference in a row: both values, and how many more there are; why it came back where nothing differs. */
export function FirstDifference({ operation }: { operation: ReplicaOperation }) {
  const { t } = useTranslation('sync')
  const words = useValueWords()
  const came = returnOf(operation)
  const [first, ...more] = toDifferenceLines(operation.answer?.differences ?? [], operation.base)
  if (!first) return t(`came.${cameOf(operation)}`)
  const isDisagreement = came === 'disagreement'
  return (
    <span className={classes.clip}>
      <span className={classes.quiet}>{t(isDisagreement ? 'difference.mine' : 'difference.seen')} </span>
      <ValueText value={isDisagreement ? first.mine : first.base} words={words} />
      <span className={classes.quiet}> · {t(isDisagreement ? 'difference.theirs' : 'difference.now')} </span>
      <ValueText value={first.theirs} words={words} />
      {more.length > 0 && <span className={classes.quiet}> +{more.length}</span>}
    </span>
  )
}

/** What the table of differences is given. `hasMine`: two people changed the same. */
export type DifferencesProps = { lines: readonly DifferenceLine[]; hasMine: boolean }

/** The differences in columns: as it was seen, as the person wanted it, the current state. */
export function Differences({ lines, hasMine }: DifferencesProps) {
  const { t } = useTranslation('sync')
  const words = useValueWords()
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
            <th scope="row">{attributeName(attribute)}</th>
            <td>
              <ValueText value={base} words={words} />
            </td>
            {hasMine && (
              <td className={classes.wanted}>
                <ValueText value={mine} words={words} />
              </td>
            )}
            <td className={classes.wanted}>
              <ValueText value={theirs} words={words} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

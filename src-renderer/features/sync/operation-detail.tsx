import { Button } from '@mantine/core'
import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ReplicaOperation } from '#shared/contract/instance/replica'
import { usePreferences } from '../../state/preferences'
import { FactList } from '../../ui/values/fact-list'
import { formatCount, formatMoney } from '../../ui/values/format'
import { formatBytes } from '../../ui/values/format-bytes'
import { Instant } from '../../ui/values/instant'
import { KeyHint } from '../../ui/keys/key-hint'
import { actsFor, cameOf, returnOf, type Act } from './answer'
import { toDifferenceLines } from './difference-lines'
import { useResponseText } from './operation-grid'
import { Differences, OperationState } from './operation-parts'
import { wordsOf } from './operation-words'
import classes from './sync.module.css'
import { actKeys } from './use-operation-keys'

/** What the detail is given. `refusal`: why the last decision about it did not go through. */
export type OperationDetailProps = {
  operation: ReplicaOperation
  refusal: string | undefined
  onAct: (act: Act) => void
  onOpenRecord?: () => void
}

/** One operation: its outcome, its obstacles, and its acts. */
export function OperationDetail({ operation, refusal, onAct, onOpenRecord }: OperationDetailProps) {
  const { t } = useTranslation('sync')
  const acts = actsFor(operation)
  return (
    <>
      <Explanation operation={operation} />
      {refusal !== undefined && (
        <p className={classes.failure} role="alert">
          {t('decided.refused', { reason: refusal })}
        </p>
      )}
      <div className={classes.actions}>
        {acts.map((act, index) => (
          <Button
            key={act}
            variant={index === 0 && act !== 'export' ? 'filled' : 'default'}
            rightSection={<KeyHint keys={actKeys[act]} />}
            onClick={() => onAct(act)}
          >
            {t(`act.${act}`)}
          </Button>
        ))}
        {onOpenRecord && (
          <Button
            variant="default"
            leftSection={<ExternalLink size={14} aria-hidden />}
            rightSection={<KeyHint keys="enter" />}
            onClick={onOpenRecord}
          >
            {t('act.open')}
          </Button>
        )}
      </div>
      <Facts operation={operation} />
      <details className={classes.support}>
        <summary>{t('detail.sent')}</summary>
        <pre tabIndex={0} aria-label={t('detail.sent')}>
          {`${operation.method} ${operation.path}\n${JSON.stringify(operation.body, null, 2)}`}
        </pre>
      </details>
    </>
  )
}

function Explanation({ operation }: { operation: ReplicaOperation }) {
  const { t } = useTranslation('sync')
  const responseText = useResponseText()
  const language = usePreferences((preferences) => preferences.language)
  const display = usePreferences((preferences) => preferences.currencyDisplay)
  const { state, answer: response, base } = operation
  const came = returnOf(operation)
  const isConflict = state === 'conflict'
  const lines = isConflict ? toDifferenceLines(response?.differences ?? [], base) : []
  const by = response?.by ?? null
  const { money } = wordsOf(operation)
  const isOtherAmount = isConflict && came === 'stale' && lines.some(({ attribute }) => attribute === 'amount')
  const approvesOther = isOtherAmount && money ? formatMoney(money, { language, display }) : null
  return (
    <>
      <p className={classes.text}>{t(isConflict ? `explain.${cameOf(operation)}` : `explain.${state}`)}</p>
      {(state === 'rejected' || state === 'parked' || (isConflict && came === 'refusedHere')) && (
        <p className={classes.failure}>{responseText(operation)}</p>
      )}
      {isConflict && (by !== null || response?.at) && (
        <p className={classes.quiet}>
          {response?.is_own === true ? t('changedByYou') : by === null ? t('changedAt') : t('changedBy', { name: by })}{' '}
          {response?.at && <Instant value={response.at} show="moment" />}
        </p>
      )}
      {lines.length > 0 && <Differences lines={lines} hasMine={came === 'disagreement'} />}
      {approvesOther && <p className={classes.text}>{t('difference.approved', { amount: approvesOther })}</p>}
      {isConflict && came === 'stale' && lines.length === 0 && <p className={classes.quiet}>{t('difference.none')}</p>}
    </>
  )
}

function Facts({ operation }: { operation: ReplicaOperation }) {
  const { t } = useTranslation('sync')
  const language = usePreferences((state) => state.language)
  const responseText = useResponseText()
  const { state, created_at, attempts, bytes } = operation
  return (
    <FactList
      facts={[
        { label: t('column.state'), value: <OperationState state={state} /> },
        { label: t('fact.made'), value: <Instant value={created_at} show="moment" /> },
        { label: t('column.answer'), value: responseText(operation) },
        { label: t('column.attempts'), value: <span className="tabular">{formatCount(attempts, language)}</span> },
        { label: t('column.bytes'), value: <span className="tabular">{formatBytes(bytes, language)}</span> },
      ]}
    />
  )
}

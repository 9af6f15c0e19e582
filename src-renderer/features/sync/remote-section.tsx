import { Button, Select } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { ReplicaState } from '#shared/contract/instance/replica'
import { failureText } from '../../api/failure-text'
import { replicaKeys, setReceiptBudget, useReplicaState } from '../../api/replica'
import { usePreferences } from '../../state/preferences'
import { ErrorState } from '../../ui/feedback/error-state'
import { FactList } from '../../ui/values/fact-list'
import { formatBytes } from '../../ui/values/format-bytes'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { notifyDone, notifyFailure } from '../../state/notices'
import { Connect } from './connect'
import { DisconnectSheet } from './disconnect-sheet'
import { FirstProgress, RemoteLine, StopNotice, useWaitingText } from './remote-parts'
import { useSyncNow } from './sync-bar'
import classes from './sync.module.css'
import { TrailForks } from './trail-forks'

/** The remote, in the settings: connecting, its status, what to fetch in advance, disconnecting. */
export function RemoteSection() {
  const { t } = useTranslation('sync')
  const { data: state, error, refetch } = useReplicaState()
  if (error && !state) return <ErrorState happened={t('error')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
  if (!state) return <SkeletonRows count={2} />
  return (
    <div className={classes.section}>
      {state.remote ? <Connected state={state} url={state.remote.url} /> : <Unconnected isShared={state.may_change === false} />}
    </div>
  )
}

function Unconnected({ isShared }: { isShared: boolean }) {
  const { t } = useTranslation('sync')
  const [isOpen, setOpen] = useState(() => location.search === '?connect')
  return (
    <>
      <p className={classes.text}>{t('connect.about')}</p>
      {isShared ? (
        <p className={classes.quiet}>{t('connect.shared')}</p>
      ) : isOpen ? (
        <Connect onCancel={() => setOpen(false)} />
      ) : (
        <div className={classes.actions}>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('connect.open')}
          </Button>
        </div>
      )}
    </>
  )
}

function Connected({ state, url }: { state: ReplicaState; url: string }) {
  const { t } = useTranslation('sync')
  const [task, setTask] = useState<'none' | 'token' | 'disconnect'>('none')
  const sync = useSyncNow()
  const { counts, offered, stop } = state
  const waitingText = useWaitingText()
  const wantsToken = stop?.kind === 'unauthorized' || stop?.kind === 'wrong_account'
  return (
    <>
      <RemoteLine state={state} />
      <FirstProgress state={state} />
      <StopNotice state={state} isHere />
      {state.remote?.is_compatible_only && <p className={classes.text}>{t('compatibleOnly')}</p>}
      <FactList
        facts={[
          { label: t('fact.address'), value: url },
          { label: t('fact.outbox'), value: <Link href="/sync">{waitingText(counts)}</Link> },
          {
            label: t('fact.receipts'),
            value: counts.downloads === 0 ? t('receipts.allHere') : t('receipts.toFetch', { count: counts.downloads }),
          },
          ...(offered > 0
            ? [{ label: t('fact.offered'), value: <Link href="/sync/offers">{t('offers.count', { count: offered })}</Link> }]
            : []),
        ]}
      />
      <Budget state={state} />
      <TrailForks forks={state.trail_forks} />
      <LastError state={state} />
      {task === 'token' || wantsToken ? (
        <Connect url={url} onCancel={wantsToken ? undefined : () => setTask('none')} />
      ) : (
        <div className={classes.actions}>
          <Button variant="default" loading={sync.isPending} onClick={() => sync.mutate()}>
            {t('syncNow.action')}
          </Button>
          <Button variant="default" onClick={() => setTask('token')}>
            {t('connect.newToken')}
          </Button>
          <Button variant="subtle" color="gray" onClick={() => setTask('disconnect')}>
            {t('disconnect.open')}
          </Button>
        </div>
      )}
      {wantsToken && (
        <div className={classes.actions}>
          <Button variant="subtle" color="gray" onClick={() => setTask('disconnect')}>
            {t('disconnect.open')}
          </Button>
        </div>
      )}
      {task === 'disconnect' && <DisconnectSheet state={state} onClose={() => setTask('none')} />}
    </>
  )
}

const megabyte = 1024 * 1024
const budgets = [0, 100, 250, 500, 1000, 2000, 5000].map((count) => count * megabyte)

/** How much of receipts is fetched before anyone looks at them. */
function Budget({ state }: { state: ReplicaState }) {
  const { t } = useTranslation('sync')
  const client = useQueryClient()
  const language = usePreferences((known) => known.language)
  const current = state.receipt_budget_bytes
  const choices = budgets.includes(current) ? budgets : [...budgets, current].toSorted((a, b) => a - b)
  const save = useMutation({
    mutationFn: setReceiptBudget,
    onSuccess: (next) => {
      client.setQueryData(replicaKeys.state, next)
      notifyDone(t('budget.saved'))
    },
    onError: (error) => notifyFailure({ title: t('budget.failed'), message: failureText(error) }),
  })
  return (
    <Select
      className={classes.narrow}
      label={t('budget.label')}
      description={t('budget.hint')}
      value={String(save.isPending ? save.variables : current)}
      allowDeselect={false}
      data={choices.map((bytes) => ({ value: String(bytes), label: bytes === 0 ? t('budget.none') : formatBytes(bytes, language) }))}
      onChange={(value) => {
        if (value !== null && Number(value) !== current) save.mutate(Number(value))
      }}
    />
  )
}

/** What went wrong last is in the engine's words: for support, behind a click. */
function LastError({ state: { last_error, stop } }: { state: ReplicaState }) {
  const { t } = useTranslation('sync')
  if (last_error === null || stop !== null) return null
  return (
    <details className={classes.support}>
      <summary>{t('lastError')}</summary>
      <code>{last_error}</code>
    </details>
  )
}

import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Balance } from '#shared/contract/balances'
import { fromMinor } from '#shared/domain/money'
import { type AccountKey, advancementKeys, readAccount, type ReadProgress } from '../../api/advancements'
import { failureText } from '../../api/failure-text'
import { useSettlementChoices } from '../../state/settlement-choices'
import { Amount } from '../../ui/values/amount'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { KeyHint } from '../../ui/keys/key-hint'
import { PaneHead } from '../../ui/panes/pane-head'
import { KeptEditNotice } from '../../ui/form/draft-notice'
import { ProgressBar } from '../../ui/feedback/progress-bar'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { standingOf } from './accounts'
import classes from './advances.module.css'
import { Devolution, devolutionRecord } from './devolution'
import { balanceOf, type LedgerLine, toLedger } from './ledger'
import { LedgerGrid } from './ledger-grid'
import { useQuery } from '@tanstack/react-query'

type LedgerPaneProps = {
  account: AccountKey
  /** As the list has it; undefined while nothing was ever handed out in this currency. */
  balance: Balance | undefined
  canWrite: boolean
  onClose: () => void
}

/** One person's account in one currency: what was handed out, spent and given back, and what remains. */
export function LedgerPane({ account, balance, canWrite, onClose }: LedgerPaneProps) {
  const { t } = useTranslation('advances')
  const { people } = useSettlementChoices()
  const ledger = useLedger(account)
  const [isDevolving, setDevolving] = useState(false)
  const name = balance?.receiver.name ?? people.find(({ id }) => id === account.receiver_id)?.name ?? `#${account.receiver_id}`
  const amount = balance?.amount ?? 0
  const { currency } = account
  const canDevolve = canWrite && amount > 0
  useShortcuts({ scope: 'ledger', title: t('ledger.label') }, [
    { id: 'devolve', keys: 'd', label: t('devolve.action'), run: () => setDevolving(true), when: () => canDevolve && !isDevolving },
    { id: 'close', keys: 'escape', label: t('close'), run: onClose },
  ])
  return (
    <div className={classes.pane}>
      <PaneHead title={name} amount={<Amount amount={amount} currency={currency} />} onClose={onClose}>
        {t(`ledger.${standingOf(amount)}`, { name, currency })}
      </PaneHead>
      {canDevolve && !isDevolving && (
        <div className={classes.tools}>
          {balance && <KeptEditNotice form="devolution-new" record={devolutionRecord(balance)} onResume={() => setDevolving(true)} />}
          <Button variant="default" onClick={() => setDevolving(true)} rightSection={<KeyHint keys="d" />}>
            {t('devolve.action')}
          </Button>
        </div>
      )}
      <LedgerBody ledger={ledger} balance={balance} currency={currency} />
      {isDevolving && balance && canDevolve && <Devolution balance={balance} onDone={() => setDevolving(false)} />}
    </div>
  )
}

function LedgerBody({ ledger, balance, currency }: { ledger: Ledger; balance: Balance | undefined; currency: string }) {
  const { t } = useTranslation('advances')
  const { lines, progress, isReading, error, retry } = ledger
  if (error && !lines) return <ErrorState happened={t('ledger.error')} kept={failureText(error)} onRetry={retry} error={error} />
  if (!lines)
    return (
      <div className={classes.wait}>
        <ProgressBar label={t('ledger.reading')} done={progress?.done ?? 0} total={progress?.total ?? 0} />
      </div>
    )
  if (lines.length === 0) return <EmptyState sentence={t('ledger.empty')} />
  const sum = fromMinor(balanceOf(lines), currency)
  return (
    <>
      <LedgerGrid lines={lines} currency={currency} />
      {balance && !isReading && balance.amount !== sum && (
        <p className={classes.note} role="status">
          {t('ledger.differs')} <Amount amount={sum} currency={currency} />
        </p>
      )}
    </>
  )
}

/** The lines of an account once all of them are read, and until then how far it is. */
type Ledger = {
  readonly lines: readonly LedgerLine[] | undefined
  readonly progress: ReadProgress | null
  /** They are being read again, so they may be older than the balance. */
  readonly isReading: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/** Reads an account whole: a running balance is right only with every line before it. */
function useLedger(account: AccountKey): Ledger {
  const [progress, setProgress] = useState<ReadProgress | null>(null)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: advancementKeys.account(account),
    queryFn: async ({ signal }) => toLedger(await readAccount(account, { signal, onProgress: setProgress }), account.currency),
  })
  return { lines: data, progress, isReading: isFetching, error, retry: () => void refetch() }
}

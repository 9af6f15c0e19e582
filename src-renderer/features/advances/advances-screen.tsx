import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import { may } from '#shared/domain/permissions'
import { type AccountKey, useAdvancement, useBalances } from '../../api/advancements'
import { failureText } from '../../api/failure-text'
import { useMembership } from '../../state/membership'
import { usePreferences } from '../../state/preferences'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { formatMoney, type Money } from '../../ui/values/format'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { SplitPane } from '../../ui/panes/split-pane'
import { useGridFocus } from '../../ui/grid/use-grid-focus'
import { settlementAreas } from '../../records/settlement/use-record-settlement'
import { useUndo } from '../../ui/feedback/use-undo'
import { ExportAct } from '../../records/export/export-act'
import { AccountList } from './account-list'
import { type Account, accountName, accountOf, accountQuery, parseAccount, sumAccounts, toAccounts } from './accounts'
import { AdvancementDetail } from './advancement-detail'
import classes from './advances.module.css'
import { HandOut } from './hand-out'
import { LedgerPane } from './ledger-pane'

const paneWidthPx = 640

/** Money handed out in advance: who holds how much. `id`: as the address has it. */
export function AdvancesScreen({ id }: { id: string | undefined }) {
  const membership = useMembership()
  if (!membership) return <SkeletonRows count={8} />
  const { organization, role } = membership
  return <Advances key={organization.id} organizationId={organization.id} id={id} canWrite={may('advancements.write', { role })} />
}

const exported = (organizationId: number) =>
  ({ of: ['advancements', 'advancement_devolutions'], organizationId, filter: {}, count: undefined }) as const

type AdvancesProps = { organizationId: number; id: string | undefined; canWrite: boolean }

function Advances({ organizationId, id, canWrite }: AdvancesProps) {
  const { t } = useTranslation('advances')
  const [, navigate] = useLocation()
  const openId = id !== undefined && /^-?\d{1,15}$/.test(id) ? Number(id) : null
  const { data: opened } = useAdvancement(openId)
  const address = new URLSearchParams(useSearch())
  const account = opened ? accountOf(opened) : parseAccount(address, organizationId)
  const { data, error, refetch } = useBalances(organizationId)
  const accounts = data && toAccounts(data)
  const isNarrow = useMediaQuery('(max-width: 1199px)', undefined, { getInitialValueInEffect: false })
  const [focused, setFocusIndex] = useState<number | null>(null)
  const { ref: gridRef, focus: focusGrid } = useGridFocus(accounts !== undefined && accounts.length > 0)
  const offerUndo = useUndo({ scope: settlementAreas.advancement, title: t('title') })
  const openIndex = accounts?.findIndex((known) => account && accountName(accountOf(known)) === accountName(account)) ?? -1
  const focusIndex = focused ?? Math.max(openIndex, 0)
  const show = (next: Omit<AccountKey, 'payer_id'> | undefined) => navigate(`/advances${next ? accountQuery(next) : ''}`, { replace: true })
  const handOut = () => navigate(`/advances/new${account ? accountQuery(account) : ''}`)
  const open = (index: number) => {
    const found = accounts?.[index]
    if (found) show(accountOf(found))
  }
  const move = (index: number) => {
    setFocusIndex(index)
    if (account && openId === null && id === undefined && !isNarrow) open(index)
  }
  const close = () => {
    show(undefined)
    focusGrid()
  }
  const leave = (next: Omit<AccountKey, 'payer_id'> | undefined) => {
    show(next)
    setFocusIndex(null)
    focusGrid()
  }
  const last = (accounts?.length ?? 0) - 1
  useShortcuts({ scope: 'advances', title: t('title') }, [
    { id: 'new', keys: 'n', label: t('handOut.action'), run: handOut, when: () => canWrite },
  ])
  const balance = accounts?.[openIndex]
  const pane =
    openId !== null ? (
      <AdvancementDetail key={openId} id={openId} onClose={leave} />
    ) : id === 'new' && canWrite ? (
      <HandOut account={account} organizationId={organizationId} offerUndo={offerUndo} onClose={() => leave(account)} onMade={leave} />
    ) : account ? (
      <LedgerPane key={accountName(account)} account={account} balance={balance} canWrite={canWrite} onClose={close} />
    ) : undefined
  return (
    <div className={classes.screen}>
      <div className={classes.bar}>
        {canWrite && accounts && <Sums accounts={accounts} />}
        <span className={classes.spring} />
        <ExportAct list={exported(organizationId)} />
        {canWrite && (
          <Button variant="default" leftSection={<Plus size={14} aria-hidden />} rightSection={<KeyHint keys="n" />} onClick={handOut}>
            {t('handOut.action')}
          </Button>
        )}
      </div>
      <div ref={gridRef} className={classes.body}>
        <SplitPane
          paneId="advances"
          defaultWidthPx={paneWidthPx}
          detailLabel={openId === null ? t('ledger.label') : t('detail.label')}
          detail={pane}
          list={
            accounts ? (
              accounts.length === 0 ? (
                <EmptyState
                  sentence={t('accounts.empty')}
                  action={canWrite ? { label: t('handOut.action'), run: handOut, keys: 'n' } : undefined}
                />
              ) : (
                <AccountList accounts={accounts} focusIndex={Math.min(focusIndex, last)} onFocusIndex={move} onOpen={open} />
              )
            ) : error ? (
              <ErrorState happened={t('accounts.error')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
            ) : (
              <SkeletonRows count={8} />
            )
          }
        />
      </div>
    </div>
  )
}

/** What others hold of the organization's money, and what it owes them, currency by currency. */
function Sums({ accounts }: { accounts: readonly Account[] }) {
  const { t } = useTranslation('advances')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const write = (sums: readonly Money[]) => sums.map((sum) => formatMoney(sum, { language, display })).join(' · ')
  const { held, owed } = sumAccounts(accounts)
  return (
    <div className={classes.sums}>
      {held.length > 0 && <span>{t('accounts.held', { sums: write(held) })}</span>}
      {owed.length > 0 && <span>{t('accounts.owed', { sums: write(owed) })}</span>}
    </div>
  )
}

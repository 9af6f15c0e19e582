import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReplicaOffer, ReplicaState } from '#shared/contract/instance/replica'
import { localeOf } from '#shared/domain/locales'
import { failureText } from '../../api/failure-text'
import { useOffers } from '../../api/replica'
import { useSession } from '../../api/session'
import { usePreferences } from '../../state/preferences'
import { Amount } from '../../ui/values/amount'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import type { GridColumn } from '../../ui/grid/grid-types'
import { Instant } from '../../ui/values/instant'
import { KeyHint } from '../../ui/keys/key-hint'
import { ProgressBar } from '../../ui/feedback/progress-bar'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { useGridFocus } from '../../ui/grid/use-grid-focus'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import { exportOffers } from './export-operation'
import { extentOf, select } from '../../ui/grid/grid-selection'
import { RefusedText } from './refused-text'
import classes from './sync.module.css'
import { useOfferActs } from './use-offer-acts'

/** What was made here before there was a remote: which of it the remote shall have, and in which organization. */
export function Offers({ state }: { state: ReplicaState }) {
  const { t } = useTranslation('sync')
  const { data, error, refetch } = useOffers(true)
  if (error && !data)
    return <ErrorState happened={t('list.error')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
  if (!data) return <SkeletonRows count={8} />
  if (data.offers.length === 0) return <EmptyState sentence={t('offers.empty')} />
  return <OfferList offers={data.offers} isReady={state.last_synced_at !== null} />
}

function OfferList({ offers, isReady }: { offers: readonly ReplicaOffer[]; isReady: boolean }) {
  const { t } = useTranslation('sync')
  const [focusIndex, setFocusIndex] = useState(0)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [isAsking, setAsking] = useState(false)
  const { organizationId, choices, choose } = useOrganizations()
  const acts = useOfferActs(setSelected)
  const { ref } = useGridFocus(true)
  const index = Math.min(focusIndex, offers.length - 1)
  const keys = offers.map(({ id }) => id)
  const chosen = offers.filter(({ id }) => selected.has(id))
  const staying = chosen.filter(({ stays }) => stays !== null)
  const ids = chosen.filter(({ stays }) => stays === null).map(({ id }) => id)
  const canCreate = ids.length > 0 && organizationId !== null && isReady && !acts.progress
  const create = () => organizationId !== null && acts.run(ids, { organization_id: organizationId, decision: 'accept' })
  const columns = useOfferColumns(acts.refusals)
  useShortcuts({ scope: 'offers', title: t('tabs.offers') }, [
    { id: 'create', keys: 'c', label: t('offers.createKey'), run: create, when: () => canCreate && !isAsking },
  ])
  return (
    <div className={classes.stage}>
      <p className={classes.lead}>{t(isReady ? 'offers.text' : 'offers.notYet')}</p>
      <div ref={ref} className={classes.rows}>
        <VirtualGrid
          gridId="sync-offers"
          label={t('tabs.offers')}
          columns={columns}
          rowCount={offers.length}
          getRow={(at) => offers[at]}
          focusIndex={index}
          onFocusIndex={setFocusIndex}
          selection={{
            isSelected: ({ id }) => selected.has(id),
            extent: extentOf(keys, selected),
            onSelect: (act) => setSelected(select(keys, selected, act)),
          }}
        />
      </div>
      <div className={classes.foot}>
        {acts.progress ? (
          <div className={classes.grow}>
            <ProgressBar label={t('offers.progress')} {...acts.progress} />
          </div>
        ) : (
          <>
            <span className="tabular" role="status">
              {t('offers.selected', { count: chosen.length })}
            </span>
            {staying.length > 0 && <span className={classes.quiet}>{t('offers.staying', { count: staying.length })}</span>}
            <span className={classes.spring} />
            {staying.length > 0 && (
              <Button variant="default" onClick={() => exportOffers(staying)}>
                {t('offers.export', { count: staying.length })}
              </Button>
            )}
            <Select
              aria-label={t('offers.organization')}
              placeholder={t('offers.organization')}
              data={choices}
              value={organizationId === null ? null : String(organizationId)}
              allowDeselect={false}
              onChange={choose}
            />
            <Button variant="subtle" color="gray" disabled={chosen.length === 0} onClick={() => setAsking(true)}>
              {t('offers.dismiss', { count: chosen.length })}
            </Button>
            <Button disabled={!canCreate} rightSection={<KeyHint keys="c" />} onClick={create}>
              {t('offers.create', { count: ids.length })}
            </Button>
          </>
        )}
      </div>
      {isAsking && (
        <ConfirmSheet
          title={t('offers.dismissTitle', { count: chosen.length })}
          confirmLabel={t('offers.dismiss', { count: chosen.length })}
          isDanger
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            acts.run(
              chosen.map(({ id }) => id),
              { organization_id: organizationId ?? 0, decision: 'dismiss' },
            )
          }}
        >
          <p className={classes.quiet}>{t('offers.dismissText')}</p>
        </ConfirmSheet>
      )}
    </div>
  )
}

/** The organizations that can take expenses, and the one that is chosen: first the one that the screens show. */
function useOrganizations() {
  const { data: session } = useSession()
  const shown = usePreferences((state) => state.organizationId)
  const [chosen, setChosen] = useState<number | null>(null)
  const usable = (session?.memberships ?? []).map(({ organization }) => organization).filter(({ expired }) => !expired)
  const current = usable.find(({ id }) => id === (chosen ?? shown)) ?? usable[0]
  return {
    organizationId: current?.id ?? null,
    choices: usable.map(({ id, name }) => ({ value: String(id), label: name })),
    choose: (value: string | null) => setChosen(value === null ? null : Number(value)),
  }
}

function useOfferColumns(refusals: ReadonlyMap<number, string>): GridColumn<ReplicaOffer>[] {
  const { t } = useTranslation('sync')
  const becomes = useBecomes()
  return [
    { id: 'kind', header: t('offers.kindOf'), width: 172, whole: true, render: ({ kind }) => t(`offers.kind.${kind}`) },
    {
      id: 'occurred_at',
      header: t('offers.date'),
      width: 108,
      whole: true,
      render: ({ occurred_at }) => (occurred_at === null ? '–' : <Instant value={occurred_at} />),
    },
    {
      id: 'title',
      header: t('offers.title'),
      width: 220,
      fill: true,
      fixed: true,
      render: ({ id, title }) => <RefusedText text={title || t('offers.untitled')} refusal={refusals.get(id)} />,
    },
    {
      id: 'amount',
      header: t('offers.amount'),
      width: 140,
      whole: true,
      align: 'end',
      render: ({ amount, currency }) => (amount === null || currency === null ? '–' : <Amount amount={amount} currency={currency} />),
    },
    { id: 'becomes', header: t('offers.becomes'), width: 440, render: (offer) => <RefusedText text={becomes(offer)} /> },
  ]
}

/** Says what becomes of an offer that is accepted, or why it stays. */
function useBecomes(): (offer: ReplicaOffer) => string {
  const { t } = useTranslation('sync')
  const language = usePreferences((state) => state.language)
  return ({ kind, stays, is_settled, attachments, comments }) => {
    if (stays !== null) return t(`offers.stays.${stays}`)
    if (is_settled) return t(kind === 'expense' ? 'offers.isPaid' : 'offers.isIgnored')
    const parts = [
      attachments > 0 ? t('offers.withReceipts', { count: attachments }) : [],
      comments > 0 ? t('offers.withComments', { count: comments }) : [],
    ].flat()
    const what = new Intl.ListFormat(localeOf(language).tag, { type: 'unit' }).format(parts)
    return parts.length === 0 ? t('offers.isCreated') : t('offers.isCreatedWith', { what })
  }
}

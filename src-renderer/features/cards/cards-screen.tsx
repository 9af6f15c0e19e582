import { Button, SegmentedControl } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import type { Session } from '#shared/contract/instance/instance'
import { may } from '#shared/domain/permissions'
import { type CardScope, cardKeys, readCardPage, useCorporativeCard } from '../../api/corporative-cards'
import { usePagedRows } from '../../api/pages'
import { useSession } from '../../api/session'
import { useMembership } from '../../state/membership'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import { EmptyState } from '../../ui/feedback/empty-state'
import { KeyHint } from '../../ui/keys/key-hint'
import { useRowFocus } from '../../ui/grid/use-row-focus'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { SplitPane } from '../../ui/panes/split-pane'
import { CardDetail } from './card-detail'
import { CardList } from './card-list'
import { ExportAct } from '../../records/export/export-act'
import classes from './cards.module.css'
import { EditCard } from './edit-card'
import { NewCard } from './new-card'
import { useCardActs } from './use-card-acts'

const mine: CardScope = { kind: 'mine' }

/** Company cards: one's own and, for those who may see them, all of the organization. `/cards/12` is one, `/cards/new` a new one. */
export function CardsScreen({ id }: { id?: string }) {
  const { t } = useTranslation('cards')
  const { data: session } = useSession()
  const membership = useMembership()
  const [, navigate] = useLocation()
  const isMineWanted = new URLSearchParams(useSearch()).get('show') === 'mine'
  if (!session) return <SkeletonRows count={8} />
  const seesAll = membership !== undefined && may('corporative_cards.read', { role: membership.role })
  const scope: CardScope = seesAll && !isMineWanted ? { kind: 'organization', organizationId: membership.organization.id } : mine
  const suffix = seesAll && isMineWanted ? '?show=mine' : ''
  const open = (part: string | number | undefined) =>
    navigate(`/cards${part === undefined ? '' : `/${part}`}${suffix}`, { replace: id !== undefined })
  return (
    <div className={classes.screen}>
      <div className={classes.bar}>
        {seesAll && (
          <SegmentedControl
            size="xs"
            aria-label={t('scope.label')}
            value={scope.kind}
            onChange={(kind) => navigate(kind === 'mine' ? '/cards?show=mine' : '/cards', { replace: true })}
            data={[
              { value: 'organization', label: t('scope.all') },
              { value: 'mine', label: t('scope.mine') },
            ]}
          />
        )}
        <span className={classes.spring} />
        {/* A file of someone who sees all would have more than their own list shows. */}
        {(scope.kind === 'organization' || !seesAll) && (
          <ExportAct
            list={{
              of: ['corporative_cards'],
              organizationId: scope.kind === 'organization' ? scope.organizationId : null,
              filter: {},
              count: undefined,
            }}
          />
        )}
        <Button leftSection={<Plus size={14} aria-hidden />} rightSection={<KeyHint keys="n" />} onClick={() => open('new')}>
          {t('new.open')}
        </Button>
      </div>
      <Cards key={JSON.stringify(scope)} scope={scope} id={id} session={session} onOpen={open} />
    </div>
  )
}

type CardsProps = { scope: CardScope; id: string | undefined; session: Session; onOpen: (part: string | number | undefined) => void }

function Cards({ scope, id, session, onOpen }: CardsProps) {
  const { t } = useTranslation('cards')
  const openId = id !== undefined && /^-?\d{1,15}$/.test(id) ? Number(id) : undefined
  const [editingId, setEditingId] = useState<number | null>(null)
  const [removing, setRemoving] = useState<CorporativeCard | null>(null)
  const acts = useCardActs()
  const rows = usePagedRows<CorporativeCard>({ queryKey: cardKeys.list(scope), read: (page, signal) => readCardPage(scope, page, signal) })
  const count = rows.count ?? 0
  const openIndex = Array.from({ length: count }, (_, index) => rows.getRow(index)?.id).indexOf(openId)
  const [focusIndex, setFocusIndex] = useRowFocus(`cards ${JSON.stringify(scope)}`, count, openId === undefined ? -1 : openIndex)
  const focused = rows.getRow(focusIndex)
  const { data, error } = useCorporativeCard(openId)
  const opened = data ?? (focused?.id === openId ? focused : undefined)
  const current = openId === undefined ? focused : opened
  const move = (index: number) => {
    const to = Math.max(0, Math.min(count - 1, index))
    setFocusIndex(to)
    const row = rows.getRow(to)
    if (openId !== undefined && row) onOpen(row.id)
  }
  const edit = (card: CorporativeCard) => {
    setEditingId(card.id)
    onOpen(card.id)
  }
  const mayWrite = () => current !== undefined && canWrite(current, session)
  const withCurrent = (run: (card: CorporativeCard) => void) => () => {
    if (current) run(current)
  }
  useShortcuts({ scope: 'cards', title: t('title') }, [
    { id: 'new', keys: 'n', label: t('new.open'), run: () => onOpen('new') },
    { id: 'edit', keys: 'e', label: t('action.edit'), run: withCurrent(edit), when: mayWrite },
    { id: 'toggle', keys: 'd', label: t('action.toggle'), run: withCurrent(acts.toggle), when: mayWrite },
    { id: 'delete', keys: 'backspace', label: t('action.delete'), run: withCurrent(setRemoving), when: mayWrite },
    { id: 'close', keys: 'escape', label: t('close'), run: () => onOpen(undefined), when: () => id !== undefined },
  ])
  return (
    <div className={classes.stage}>
      <SplitPane
        paneId="cards"
        detailLabel={t('detail')}
        list={
          <CardList
            rows={rows}
            focusIndex={focusIndex}
            onFocusIndex={move}
            onOpen={(card) => onOpen(card.id)}
            onNew={() => onOpen('new')}
            isMine={scope.kind === 'mine'}
          />
        }
        detail={
          id === 'new' ? (
            <NewCard session={session} onSaved={(card) => onOpen(card.id)} onClose={() => onOpen(undefined)} />
          ) : openId === undefined ? undefined : opened && editingId === openId ? (
            <EditCard key={openId} card={opened} session={session} onDone={() => setEditingId(null)} />
          ) : opened ? (
            <CardDetail
              card={opened}
              actions={
                canWrite(opened, session)
                  ? { edit: () => edit(opened), toggle: () => acts.toggle(opened), remove: () => setRemoving(opened) }
                  : undefined
              }
              onClose={() => onOpen(undefined)}
            />
          ) : error ? (
            <EmptyState sentence={t('notFound')} action={{ label: t('close'), run: () => onOpen(undefined) }} />
          ) : (
            <SkeletonRows count={6} />
          )
        }
      />
      {removing && (
        <ConfirmSheet
          title={t('remove.title', { name: removing.name })}
          confirmLabel={t('remove.confirm')}
          isDanger
          onCancel={() => setRemoving(null)}
          onConfirm={() => {
            setRemoving(null)
            acts.remove(removing, () => onOpen(undefined))
          }}
        >
          <p className={classes.hint}>{t('remove.hint')}</p>
        </ConfirmSheet>
      )}
    </div>
  )
}

/** Whether the user may change a card: what its organization and its user are to them. */
function canWrite(card: CorporativeCard, { user, memberships }: Session): boolean {
  const membership = memberships.find(({ organization }) => organization.id === card.organization.id)
  const relation = { role: membership?.role, is_holder: card.user.id === user.id }
  return may('corporative_cards.write', relation) && membership?.organization.expired !== true
}

import { Button } from '@mantine/core'
import { ArrowLeft, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { may } from '#shared/domain/permissions'
import { useSession } from '../../api/session'
import { useMembership } from '../../state/membership'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { useUndo } from '../../ui/feedback/use-undo'
import { undoArea } from './use-approvals'
import { ExportAct } from '../../records/export/export-act'
import classes from './accountabilities.module.css'
import { Board } from './board'
import { BoardKeys } from './card'
import { AccountabilityDetail } from './detail'
import { FinishSheet } from './finish-sheet'
import { NewAccountability } from './new-accountability'
import { useBoard } from './use-board'
import { type Moves, useMoves } from './use-moves'

/** The accountabilities of the organization: the board, one of them, or a new one. `id` is as the address has it. */
export function AccountabilitiesScreen({ id }: { id?: string }) {
  const { t } = useTranslation('accountabilities')
  const [, navigate] = useLocation()
  const { data: session } = useSession()
  const membership = useMembership()
  const offerUndo = useUndo({ scope: undoArea, title: t('title') })
  const moves = useMoves(offerUndo)
  const leave = () => navigate('/accountabilities')
  if (!session || !membership) return <SkeletonRows count={12} />
  const payer_id = membership.organization.id
  const name = `${session.user.first_name} ${session.user.last_name}`.trim()
  return (
    <div className={classes.screen}>
      {id === undefined && <BoardPage payer_id={payer_id} role={membership.role} moves={moves} />}
      {id === 'new' && <NewAccountability payer_id={payer_id} role={membership.role} user={{ id: session.user.id, name }} />}
      {id !== undefined && id !== 'new' && (
        <>
          <div className={classes.bar}>
            <Button
              variant="subtle"
              color="gray"
              leftSection={<ArrowLeft size={14} aria-hidden />}
              rightSection={<KeyHint keys="escape" />}
              onClick={leave}
            >
              {t('title')}
            </Button>
          </div>
          {/^-?\d{1,15}$/.test(id) ? (
            <AccountabilityDetail key={id} id={Number(id)} moves={moves} offerUndo={offerUndo} onLeave={leave} />
          ) : (
            <EmptyState sentence={t('notFound')} action={{ label: t('toBoard'), run: leave }} />
          )}
        </>
      )}
      {moves.finishing && <FinishSheet finishing={moves.finishing} onConfirm={moves.confirm} onCancel={moves.cancel} />}
    </div>
  )
}

function BoardPage({ payer_id, role, moves }: { payer_id: number; role: Parameters<typeof may>[1]['role']; moves: Moves }) {
  const { t } = useTranslation('accountabilities')
  const [, navigate] = useLocation()
  const { columns, error, retry } = useBoard(payer_id, moves.pending)
  const create = () => navigate('/accountabilities/new')
  const mayCreate = may('accountabilities.create', { role })
  useShortcuts({ scope: 'accountabilities', title: t('title') }, [
    { id: 'new', keys: 'n', label: t('new'), run: create, when: () => mayCreate },
  ])
  return (
    <>
      <div className={classes.bar}>
        <h1 className={classes.heading}>{t('title')}</h1>
        <span className={classes.spring} />
        <BoardKeys />
        <ExportAct list={{ of: ['accountabilities'], organizationId: payer_id, filter: {}, count: undefined }} />
        {mayCreate && (
          <Button leftSection={<Plus size={14} aria-hidden />} rightSection={<KeyHint keys="n" />} onClick={create}>
            {t('new')}
          </Button>
        )}
      </div>
      {error && <ErrorState happened={t('error')} kept={t('errorKept')} onRetry={retry} error={error} />}
      {!error && !columns && <SkeletonRows count={12} />}
      {!error && columns?.every(({ count }) => count === 0) && (
        <EmptyState sentence={t('empty')} action={{ label: t('new'), run: create, keys: 'n' }} />
      )}
      {!error && columns?.some(({ count }) => count > 0) && <Board columns={columns} moves={moves} />}
    </>
  )
}

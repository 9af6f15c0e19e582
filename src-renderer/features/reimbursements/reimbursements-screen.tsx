import { Button, SegmentedControl } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { may } from '#shared/domain/permissions'
import { useOwedByAdvances } from '../../api/advancements'
import { useDues } from '../../api/reimbursements'
import { useMembership } from '../../state/membership'
import { usePreferences } from '../../state/preferences'
import { formatCount } from '../../ui/values/format'
import { HistoryMenu } from '../../ui/feedback/history-menu'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { settlementAreas } from '../../records/settlement/use-record-settlement'
import { useUndo } from '../../ui/feedback/use-undo'
import { PaidReimbursements } from './paid-reimbursements'
import classes from './reimbursements.module.css'
import { ToPay } from './to-pay'

/** The area of the undo stack for payments. */
const undoArea = settlementAreas.reimbursement

/** What organizations pay back: whom to pay, for those who pay, and what was paid. `id`: as the address has it. */
export function ReimbursementsScreen({ id }: { id: string | undefined }) {
  const { t } = useTranslation('reimbursements')
  const [, navigate] = useLocation()
  const membership = useMembership()
  const canPay = may('reimbursements.write', { role: membership?.role })
  const isToPay = canPay && id === undefined
  const offerUndo = useUndo({ scope: undoArea, title: t('title') })
  useShortcuts({ scope: 'reimbursements', title: t('title') }, [
    { id: 'to-pay', keys: 'v t', label: t('view.toPay'), run: () => navigate('/reimbursements'), when: () => canPay },
    { id: 'paid', keys: 'v p', label: t('view.paid'), run: () => navigate('/reimbursements/paid'), when: () => canPay },
    { id: 'new', keys: 'n', label: t('new.action'), run: () => navigate('/reimbursements/new'), when: () => canPay },
  ])
  if (!membership) return <SkeletonRows count={12} />
  return (
    <div className={classes.screen}>
      {canPay && (
        <div className={classes.bar}>
          <ViewSwitch organizationId={membership.organization.id} isToPay={isToPay} />
          <span className={classes.spring} />
          <HistoryMenu area={undoArea} />
          <Button
            leftSection={<Plus size={14} aria-hidden />}
            rightSection={<KeyHint keys="n" />}
            variant="default"
            onClick={() => navigate('/reimbursements/new')}
          >
            {t('new.action')}
          </Button>
        </div>
      )}
      {isToPay ? (
        <ToPay key={membership.organization.id} organizationId={membership.organization.id} offerUndo={offerUndo} />
      ) : (
        <PaidReimbursements key={membership.organization.id} organizationId={membership.organization.id} id={id} offerUndo={offerUndo} />
      )}
    </div>
  )
}

function ViewSwitch({ organizationId, isToPay }: { organizationId: number; isToPay: boolean }) {
  const { t } = useTranslation('reimbursements')
  const [, navigate] = useLocation()
  const language = usePreferences((state) => state.language)
  const { data: dues } = useDues(organizationId, true)
  const owed = useOwedByAdvances(organizationId)
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('view.label')}
      value={isToPay ? 'to-pay' : 'paid'}
      onChange={(value) => navigate(value === 'paid' ? '/reimbursements/paid' : '/reimbursements')}
      data={[
        {
          value: 'to-pay',
          label: (
            <>
              {t('view.toPay')} {dues && <span className="tabular">{formatCount(dues.length + owed.length, language)}</span>}
            </>
          ),
        },
        { value: 'paid', label: t('view.paid') },
      ]}
    />
  )
}

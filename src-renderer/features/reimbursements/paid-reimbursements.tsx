import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import { may } from '#shared/domain/permissions'
import { useRole } from '../../state/membership'
import { useSettlementChoices } from '../../state/settlement-choices'
import { SplitPane } from '../../ui/panes/split-pane'
import { useGridFocus } from '../../ui/grid/use-grid-focus'
import type { OfferUndo } from '../../ui/feedback/use-undo'
import { formatPaidAddress, parsePaidFilter, parsePaidSort } from './paid-filter'
import { PaidFilterBar } from './paid-filter-bar'
import { PaidList } from './paid-list'
import { ReimbursementDetail } from './reimbursement-detail'
import classes from './reimbursements.module.css'
import { useDeleteReimbursement, usePay } from '../../api/reimbursements'
import { NewSettlement } from '../../records/settlement/settlement-forms'

type PaidReimbursementsProps = { organizationId: number; id: string | undefined; offerUndo: OfferUndo }

/** Payments, and next to them the reimbursement that the address opens, or the form of a new one. */
export function PaidReimbursements({ organizationId, id, offerUndo }: PaidReimbursementsProps) {
  const { t } = useTranslation('reimbursements')
  const [, navigate] = useLocation()
  const address = new URLSearchParams(useSearch())
  const filter = parsePaidFilter(address)
  const sort = parsePaidSort(address)
  const choices = useSettlementChoices()
  const canPay = may('reimbursements.write', { role: useRole() })
  const isNarrow = useMediaQuery('(max-width: 1199px)', undefined, { getInitialValueInEffect: false })
  const { ref: gridRef, focus: focusGrid } = useGridFocus(true)
  const openId = id !== undefined && /^-?\d{1,15}$/.test(id) ? Number(id) : null
  const home = canPay ? '/reimbursements/paid' : '/reimbursements'
  const show = (next: number | null, isReplacing = false) =>
    navigate(`${next === null ? home : `/reimbursements/${next}`}${formatPaidAddress(filter, sort)}`, { replace: isReplacing })
  const close = () => {
    show(null, true)
    focusGrid()
  }
  const path = openId === null ? home : `/reimbursements/${openId}`
  return (
    <>
      <PaidFilterBar
        filter={filter}
        choices={choices}
        onFilter={(next) => navigate(`${path}${formatPaidAddress(next, sort)}`)}
        onLeave={focusGrid}
        organizationId={organizationId}
      />
      <div ref={gridRef} className={classes.body}>
        <SplitPane
          paneId="reimbursements"
          detailLabel={openId === null ? t('new.title') : t('detail.label')}
          detail={
            openId !== null ? (
              <ReimbursementDetail key={openId} id={openId} onClose={close} />
            ) : id === 'new' && canPay ? (
              <NewReimbursement organizationId={organizationId} offerUndo={offerUndo} onClose={close} onMade={show} />
            ) : undefined
          }
          list={
            <PaidList
              key={formatPaidAddress(filter, sort)}
              organizationId={organizationId}
              filter={filter}
              sort={sort}
              openId={openId}
              isFollowed={openId !== null && !isNarrow}
              onSort={(next) => navigate(`${path}${formatPaidAddress(filter, next)}`, { replace: true })}
              onOpen={show}
              onArrived={focusGrid}
            />
          }
        />
      </div>
    </>
  )
}

type NewReimbursementProps = { organizationId: number; offerUndo: OfferUndo; onClose: () => void; onMade: (id: number) => void }

/** A reimbursement that pays no expense of the system. */
function NewReimbursement({ onMade, ...pane }: NewReimbursementProps) {
  const { t } = useTranslation('reimbursements')
  const record = usePay()
  const { mutateAsync: remove } = useDeleteReimbursement()
  return (
    <NewSettlement
      form="reimbursement-new"
      {...pane}
      words={{ title: t('new.title'), hint: t('new.hint'), action: t('pay.action'), done: (made) => t('pay.done', made) }}
      record={record}
      remove={remove}
      onMade={({ id }) => onMade(id)}
    />
  )
}

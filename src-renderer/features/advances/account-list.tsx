import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Amount } from '../../ui/values/amount'
import type { GridColumn } from '../../ui/grid/grid-types'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import { standingOf, type Account } from './accounts'
import classes from './advances.module.css'

type AccountListProps = {
  accounts: readonly Account[]
  focusIndex: number
  onFocusIndex: (index: number) => void
  onOpen: (index: number) => void
}

/** Who holds how much of the organization's money, or is owed by it. */
export function AccountList({ accounts, focusIndex, onFocusIndex, onOpen }: AccountListProps) {
  const { t } = useTranslation('advances')
  const columns = useMemo<GridColumn<Account>[]>(
    () => [
      {
        id: 'person',
        header: t('column.receiver'),
        width: 120,
        fill: true,
        fixed: true,
        render: ({ receiver, isOwn }) => (isOwn ? t('accounts.own', { name: receiver.name }) : receiver.name),
      },
      {
        id: 'standing',
        header: t('column.standing'),
        width: 136,
        minWidth: 88,
        render: ({ amount }) => <span className={classes.quiet}>{t(`standing.${standingOf(amount)}`)}</span>,
      },
      {
        id: 'amount',
        header: t('column.balance'),
        width: 136,
        whole: true,
        align: 'end',
        fixed: true,
        render: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
      },
    ],
    [t],
  )
  return (
    <VirtualGrid
      gridId="advances"
      label={t('accounts.label')}
      columns={columns}
      rowCount={accounts.length}
      getRow={(index) => accounts[index]}
      focusIndex={focusIndex}
      onFocusIndex={onFocusIndex}
      onOpen={onOpen}
    />
  )
}

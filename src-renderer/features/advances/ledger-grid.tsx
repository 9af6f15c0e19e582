import { HandCoins, ReceiptText, Undo2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { fromMinor } from '#shared/domain/money'
import { Amount } from '../../ui/values/amount'
import type { GridColumn } from '../../ui/grid/grid-types'
import { Instant } from '../../ui/values/instant'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import classes from './advances.module.css'
import type { LedgerLine } from './ledger'

const icons = { advancement: HandCoins, devolution: Undo2, expense: ReceiptText } as const

/** The lines of an account, the newest at the foot and in sight first; Enter opens the record behind a line. */
export function LedgerGrid({ lines, currency }: { lines: readonly LedgerLine[]; currency: string }) {
  const { t } = useTranslation('advances')
  const [, navigate] = useLocation()
  const [chosen, setChosen] = useState<string | null>(null)
  const found = lines.findIndex(({ uid }) => uid === chosen)
  const columns = useLedgerColumns(currency)
  const open = (index: number) => {
    const line = lines[index]
    if (line?.kind === 'advancement') navigate(`/advances/${line.id}`)
    else if (line?.kind === 'expense') navigate(`/expenses/${line.id}`)
  }
  return (
    <div className={classes.lines}>
      <VirtualGrid
        gridId="ledger"
        label={t('ledger.lines')}
        columns={columns}
        rowCount={lines.length}
        getRow={(index) => lines[index]}
        focusIndex={found < 0 ? lines.length - 1 : found}
        onFocusIndex={(index) => setChosen(lines[index]?.uid ?? null)}
        onOpen={open}
      />
    </div>
  )
}

function useLedgerColumns(currency: string): GridColumn<LedgerLine>[] {
  const { t } = useTranslation('advances')
  return useMemo(
    () => [
      { id: 'date', header: t('column.date'), width: 88, whole: true, render: ({ date }) => <Instant value={date} /> },
      { id: 'what', header: t('column.what'), width: 140, fill: true, fixed: true, render: (line) => <What line={line} /> },
      {
        id: 'amount',
        header: t('column.amount'),
        width: 136,
        whole: true,
        align: 'end',
        fixed: true,
        render: ({ amount_minor }) => <Amount amount={fromMinor(amount_minor, currency)} currency={currency} />,
      },
      {
        id: 'balance',
        header: t('column.balance'),
        isLabelled: true,
        width: 136,
        whole: true,
        align: 'end',
        fixed: true,
        render: ({ balance_minor }) => <Amount amount={fromMinor(balance_minor, currency)} currency={currency} />,
      },
    ],
    [t, currency],
  )
}

function What({ line: { kind, description, by } }: { line: LedgerLine }) {
  const { t } = useTranslation('advances')
  const Icon = icons[kind]
  const label = t(`kind.${kind}`)
  const text = description ?? (kind === 'devolution' && by !== null ? t('kind.recordedBy', { name: by }) : '')
  return (
    <span className={classes.what} title={text === '' ? label : `${label} · ${text}`}>
      <Icon size={14} aria-hidden />
      <span className={classes.clip}>
        {label}
        {text !== '' && <span className={classes.quiet}> · {text}</span>}
      </span>
    </span>
  )
}

import { Button, SegmentedControl } from '@mantine/core'
import { FileUp, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import type { Session } from '#shared/contract/instance/instance'
import type { PreExpense } from '#shared/contract/pre-expenses'
import { preExpenseStateOf, preExpenseStates, type PreExpenseState } from '#shared/domain/pre-expense-state'
import { usePreExpense, usePreExpenseCount } from '../../api/pre-expenses'
import { useSession } from '../../api/session'
import { handStatement, statementEndings } from '../../state/handed-statement'
import { useMembership } from '../../state/membership'
import { usePreferences } from '../../state/preferences'
import { formatCount } from '../../ui/values/format'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { KeyHint } from '../../ui/keys/key-hint'
import { useFileDrop } from '../../ui/form/use-file-drop'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SplitPane } from '../../ui/panes/split-pane'
import { planConversion } from './conversion-plan'
import { InboxFoot } from './inbox-foot'
import { NewPreExpense } from './new-pre-expense'
import { PreExpenseDetail } from './pre-expense-detail'
import { PreExpenseList } from './pre-expense-list'
import { ExportAct } from '../../records/export/export-act'
import classes from './pre-expenses.module.css'
import { type Asked, PreExpenseSheet } from './pre-expense-sheet'
import { useActs } from './use-acts'
import { addressOf, usePreExpenseList } from './use-pre-expense-list'
import { useListKeys } from './use-list-keys'

/** Where a new one is written. */
const newAddress = '/pre-expenses/new'

/** What integrations sent and people noted, waiting to become expenses; `?status=` shows those that were ignored or converted. */
export function PreExpensesScreen({ id }: { id?: string }) {
  const { t } = useTranslation('pre-expenses')
  const [, navigate] = useLocation()
  const { data: session } = useSession()
  const wanted = new URLSearchParams(useSearch()).get('status')
  const state = preExpenseStates.find((known) => known === wanted) ?? 'waiting_approval'
  const openId = id !== undefined && /^-?\d{1,15}$/.test(id) ? Number(id) : undefined
  if (!session) return <SkeletonRows count={12} />
  return (
    <div className={classes.screen}>
      <div className={classes.bar}>
        <StateTabs state={state} />
        <span className={classes.spring} />
        <ImportAct />
        <ExportAct list={{ of: ['pre_expenses'], organizationId: null, state, filter: {}, count: undefined }} />
        <Button leftSection={<Plus size={14} aria-hidden />} rightSection={<KeyHint keys="n" />} onClick={() => navigate(newAddress)}>
          {t('new.open')}
        </Button>
      </div>
      <InboxOfState key={state} {...{ state, openId, session, isNew: id === 'new' }} />
    </div>
  )
}

/** Statements of cards bring suggested expenses: one that is chosen or dropped here is shown on their screen. */
function ImportAct() {
  const { t } = useTranslation('pre-expenses')
  const [, navigate] = useLocation()
  const inputRef = useRef<HTMLInputElement>(null)
  const take = ([file]: readonly File[]) => {
    if (!file) return
    handStatement(file)
    navigate('/statements')
  }
  useFileDrop(take)
  const pick = () => inputRef.current?.click()
  useShortcuts({ scope: 'pre-expenses-import', title: t('title') }, [{ id: 'import', keys: 'f', label: t('import'), run: pick }])
  return (
    <>
      <Button variant="default" leftSection={<FileUp size={14} aria-hidden />} rightSection={<KeyHint keys="f" />} onClick={pick}>
        {t('import')}
      </Button>
      <input
        ref={inputRef}
        type="file"
        hidden
        aria-label={t('import')}
        accept={statementEndings}
        onChange={({ currentTarget }) => take([...(currentTarget.files ?? [])])}
      />
    </>
  )
}

function StateTabs({ state }: { state: PreExpenseState }) {
  const { t } = useTranslation('pre-expenses')
  const [, navigate] = useLocation()
  const language = usePreferences((preferences) => preferences.language)
  const counts: Readonly<Record<PreExpenseState, number | undefined>> = {
    waiting_approval: usePreExpenseCount('waiting_approval'),
    ignored: usePreExpenseCount('ignored'),
    converted: usePreExpenseCount('converted'),
  }
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('tabs')}
      value={state}
      onChange={(value) => {
        const chosen = preExpenseStates.find((known) => known === value)
        if (chosen) navigate(addressOf(chosen), { replace: true })
      }}
      data={preExpenseStates.map((known) => ({
        value: known,
        label: (
          <>
            {t(`state.${known}`)} <span className="tabular">{counts[known] === undefined ? '' : formatCount(counts[known], language)}</span>
          </>
        ),
      }))}
    />
  )
}

type InboxOfStateProps = { state: PreExpenseState; openId: number | undefined; session: Session; isNew: boolean }

function InboxOfState({ state, openId, session, isNew }: InboxOfStateProps) {
  const { t } = useTranslation('pre-expenses')
  const [, navigate] = useLocation()
  const inbox = usePreExpenseList(state, openId)
  const acts = useActs(inbox, openId)
  const payer = useMembership()?.organization
  const [convertingId, setConvertingId] = useState<number | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const { data, error, refetch } = usePreExpense(openId)
  const opened = data ?? (inbox.focused?.id === openId ? inbox.focused : undefined)
  const { focused, selected } = inbox
  const current = openId === undefined ? focused : opened
  const targets = selected.length > 0 ? selected : current ? [current] : []
  const areIn = (wanted: PreExpenseState) =>
    targets.length > 0 && targets.every((row) => preExpenseStateOf(row) === wanted) && !acts.isRunning
  const convertOne = (row: PreExpense) => {
    setConvertingId(row.id)
    if (row.id !== openId) inbox.open(row.id)
  }
  const convert = (rows: readonly PreExpense[]) => {
    const [only] = rows
    if (rows.length === 1 && only) return convertOne(only)
    if (payer) setAsked({ kind: 'convert', plan: planConversion(rows, payer.id), payerName: payer.name })
  }
  const remove = (rows: readonly PreExpense[]) => setAsked({ kind: 'delete', rows })
  const openRow = (row: PreExpense) => {
    if (row.id === openId && state === 'waiting_approval') convertOne(row)
    else inbox.open(row.id)
  }
  const confirm = (ask: Asked) => {
    setAsked(null)
    if (ask.kind === 'delete') acts.remove(ask.rows)
    else acts.convert(ask.plan.targets)
  }
  useListKeys({
    convert: { run: () => convert(targets), when: () => areIn('waiting_approval') },
    ignore: { run: () => acts.ignore(targets), when: () => areIn('waiting_approval') },
    restore: { run: () => acts.restore(targets), when: () => areIn('ignored') },
    remove: { run: () => remove(targets), when: () => targets.length > 0 && !acts.isRunning },
    close: {
      run: () => (isNew || openId !== undefined ? inbox.open(undefined) : inbox.setSelected([])),
      when: () => isNew || openId !== undefined || selected.length > 0,
    },
    add: () => navigate(newAddress),
  })
  return (
    <div className={classes.stage}>
      <SplitPane
        paneId="pre-expenses"
        detailLabel={t('detail')}
        list={
          <>
            <PreExpenseList inbox={inbox} state={state} onOpen={openRow} />
            {selected.length > 0 && (
              <InboxFoot
                selected={selected}
                state={state}
                actions={{
                  convert: () => convert(selected),
                  ignore: () => acts.ignore(selected),
                  restore: () => acts.restore(selected),
                  remove: () => remove(selected),
                  clear: () => inbox.setSelected([]),
                }}
              />
            )}
          </>
        }
        detail={
          isNew ? (
            <NewPreExpense session={session} onSaved={({ id }) => inbox.open(id)} onClose={() => inbox.open(undefined)} />
          ) : openId === undefined ? undefined : (
            <PreExpenseDetail
              pre_expense={opened}
              error={error}
              onRetry={() => void refetch()}
              session={session}
              isConverting={convertingId === openId}
              actions={{
                convert: convertOne,
                ignore: (row) => acts.ignore([row]),
                restore: (row) => acts.restore([row]),
                remove: (row) => remove([row]),
                converted: (row) => {
                  setConvertingId(null)
                  acts.converted(row)
                },
                leaveConvert: () => setConvertingId(null),
                close: () => inbox.open(undefined),
              }}
            />
          )
        }
      />
      {asked && <PreExpenseSheet asked={asked} onConfirm={() => confirm(asked)} onCancel={() => setAsked(null)} />}
    </div>
  )
}

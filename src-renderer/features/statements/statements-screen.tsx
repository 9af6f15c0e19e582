import { Button, NativeSelect } from '@mantine/core'
import { FileUp } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearch } from 'wouter'
import { may } from '#shared/domain/permissions'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import { nameCard, useCards } from '../../api/corporative-cards'
import { failureText } from '../../api/failure-text'
import { type StatementLineRepresentation, useStatementMatching } from '../../api/statements/statements'
import { dropHandedStatement, handedStatement, statementEndings } from '../../state/handed-statement'
import { useMembership, useRole } from '../../state/membership'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { useFileDrop } from '../../ui/form/use-file-drop'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { CutOffImports } from './cut-off-imports'
import { DismissSheet } from './dismiss-sheet'
import { ImportPanel } from './import-panel'
import { captureOf, countLater, type MatchingRow, sections, toSections } from './matching'
import { MatchingSection } from './matching-section'
import { SplitSheet } from './split-sheet'
import { ExportAct } from '../../records/export/export-act'
import classes from './statements.module.css'
import { useStatementActs } from './use-statement-acts'

/** The statements of company cards: imported here, matched to expenses, and what is left over on both sides. `?card=` is one card. */
export function StatementsScreen() {
  const organizationId = useMembership()?.organization.id
  return organizationId === undefined ? <SkeletonRows count={8} /> : <Statements key={organizationId} organizationId={organizationId} />
}

function Statements({ organizationId }: { organizationId: number }) {
  const { t } = useTranslation('statements')
  const [, navigate] = useLocation()
  const wanted = Number(new URLSearchParams(useSearch()).get('card'))
  const cards = useCards(organizationId)
  const card = cards.find(({ id }) => id === wanted)
  // Another screen may have handed a statement over.
  const [waiting, setWaiting] = useState(handedStatement)
  useEffect(dropHandedStatement, [])
  const [chosenCard, setChosenCard] = useState<CorporativeCard>()
  const inputRef = useRef<HTMLInputElement>(null)
  const stageRef = useRef<HTMLDivElement>(null)
  const hasCards = cards.length > 0
  const owner = chosenCard ?? card ?? (cards.length === 1 ? cards[0] : undefined)
  const wait = (file: File | undefined) => {
    setChosenCard(undefined)
    setWaiting(file)
  }
  const take = ([file]: readonly File[]) => {
    if (file && hasCards) wait(file)
  }
  const isOver = useFileDrop(take)
  const pick = () => inputRef.current?.click()
  useShortcuts({ scope: 'statements-import', title: t('title') }, [
    { id: 'import', keys: 'f', label: t('import'), run: pick, when: () => cards.length > 0 },
  ])
  return (
    <div className={classes.screen}>
      <div className={classes.bar}>
        <NativeSelect
          size="xs"
          aria-label={t('card')}
          value={card ? String(card.id) : ''}
          data={[
            { value: '', label: t('allCards') },
            ...cards.map((one) => ({ value: String(one.id), label: `${nameCard(one)} · ${one.user.name}` })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            navigate(value === '' ? '/statements' : `/statements?card=${value}`, { replace: true })
          }
        />
        <span className={classes.spring} />
        <ExportAct
          list={{ of: ['statement_lines'], organizationId, filter: card ? { corporative_card_id_eq: card.id } : {}, count: undefined }}
        />
        <Button
          leftSection={<FileUp size={14} aria-hidden />}
          rightSection={<KeyHint keys="f" />}
          disabled={cards.length === 0}
          onClick={pick}
        >
          {t('import')}
        </Button>
        <input
          ref={inputRef}
          type="file"
          hidden
          aria-label={t('choose')}
          accept={statementEndings}
          onChange={({ currentTarget }) => {
            take([...(currentTarget.files ?? [])])
            currentTarget.value = ''
          }}
        />
      </div>
      <CutOffImports organizationId={organizationId} cardId={card?.id ?? null} />
      <div ref={stageRef} className={classes.stage} data-over={isOver || undefined}>
        <div className={classes.column}>
          {waiting && !owner && hasCards && (
            <div className={classes.panel}>
              <NativeSelect
                label={t('cardOf', { file: waiting.name })}
                autoFocus
                value=""
                data={[
                  { value: '', label: t('chooseCard') },
                  ...cards.map((one) => ({ value: String(one.id), label: `${nameCard(one)} · ${one.user.name}` })),
                ]}
                onChange={({ currentTarget: { value } }) => setChosenCard(cards.find(({ id }) => String(id) === value))}
              />
            </div>
          )}
          {waiting && owner && (
            <ImportPanel
              key={`${waiting.name} ${owner.id}`}
              organizationId={organizationId}
              chosen={{ file: waiting, card: { id: owner.id, name: nameCard(owner) } }}
              onClose={() => wait(undefined)}
            />
          )}
          <Matching organizationId={organizationId} cardId={card?.id ?? null} hasCards={hasCards} onPick={pick} scrollRef={stageRef} />
        </div>
      </div>
    </div>
  )
}

/** The lists of lines that have no expense for sure. */
const lineSections = sections.filter((section) => section === 'possible' || section === 'linesLeft')

type MatchingProps = {
  organizationId: number
  cardId: number | null
  hasCards: boolean
  onPick: () => void
  scrollRef: RefObject<HTMLElement | null>
}

function Matching({ organizationId, cardId, hasCards, onPick, scrollRef }: MatchingProps) {
  const { t } = useTranslation('statements')
  const [, navigate] = useLocation()
  const { data, error, refetch } = useStatementMatching(organizationId, cardId)
  const acts = useStatementActs(organizationId)
  const [focus, setFocus] = useState<{ readonly key: string; readonly index: number }>()
  const [dismissing, setDismissing] = useState<StatementLineRepresentation>()
  const [splitting, setSplitting] = useState<StatementLineRepresentation>()
  const lists = useMemo(() => data && toSections(data), [data])
  // What a message asks about: lines that have no expense for sure.
  const isOfLines = new URLSearchParams(useSearch()).get('list') === 'linesLeft'
  const shown = isOfLines ? lineSections : sections
  const rows = lists ? shown.flatMap((section) => lists[section]) : []
  // What was acted on is gone: the row that took its place has the focus.
  const found = rows.findIndex(({ key }) => key === focus?.key)
  const index = found === -1 ? Math.max(0, Math.min(focus?.index ?? 0, rows.length - 1)) : found
  const current = rows[index]
  const move = (wanted: number) => {
    const to = Math.max(0, Math.min(rows.length - 1, wanted))
    const row = rows[to]
    if (row) setFocus({ key: row.key, index: to })
  }
  const act = (row: MatchingRow | undefined) => {
    if (!row || acts.isRunning) return
    move(rows.indexOf(row))
    if (row.kind === 'proposal') acts.accept([row.proposal])
    else if (row.kind === 'expense') navigate(`/expenses/${row.expense.id}`)
    else if (row.receipts[0]?.is_sure) navigate(captureOf(row.line, row.receipts[0].capture_ids))
    else if (row.line.amount > 0) acts.makeExpense(row.line)
  }
  const mayAsk = may('statement_lines.ask', { role: useRole() })
  const ask = mayAsk ? () => void acts.ask(cardId) : undefined
  const sure = (lists?.sure ?? []).flatMap((row) => (row.kind === 'proposal' ? [row.proposal] : []))
  const lineOf = (row: MatchingRow | undefined) => (row?.kind === 'line' ? row.line : row?.kind === 'proposal' ? row.lines[0] : undefined)
  useShortcuts({ scope: 'statements', title: t('shortcuts.title') }, [
    { id: 'down', keys: 'j', label: t('shortcuts.next'), run: () => move(index + 1), when: () => rows.length > 0 },
    { id: 'up', keys: 'k', label: t('shortcuts.previous'), run: () => move(index - 1), when: () => rows.length > 0 },
    { id: 'act', keys: 'enter', label: t('shortcuts.accept'), run: () => act(current), when: () => current !== undefined },
    {
      id: 'all',
      keys: 'shift+a',
      label: t('shortcuts.acceptAll'),
      run: () => acts.accept(sure),
      when: () => sure.length > 0 && !acts.isRunning,
    },
    { id: 'ask', keys: 'm', label: t('ask'), run: () => ask?.(), when: () => mayAsk && (lists?.linesLeft.length ?? 0) > 0 },
    {
      id: 'split',
      keys: 's',
      label: t('split'),
      run: () => setSplitting(lineOf(current)),
      when: () => current?.kind === 'line' && current.line.amount > 0,
    },
    {
      id: 'dismiss',
      keys: 'x',
      label: t('shortcuts.dismiss'),
      run: () => setDismissing(lineOf(current)),
      when: () => lineOf(current) !== undefined,
    },
  ])
  if (error && !data) return <ErrorState happened={t('failed')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
  if (!lists) return <SkeletonRows count={8} />
  if (!hasCards)
    return <EmptyState sentence={`${t('noCards')} ${t('noCardsHint')}`} action={{ label: t('toCards'), run: () => navigate('/cards') }} />
  return (
    <>
      {isOfLines && (
        <p className={classes.notice}>
          {t('onlyLines')} <Link href="/statements">{t('showAll')}</Link>
        </p>
      )}
      {rows.length === 0 && (
        <div className={classes.well}>
          <p>{t('drop')}</p>
          <p className={classes.quiet}>{t('emptyHint')}</p>
          <Button variant="default" rightSection={<KeyHint keys="f" />} onClick={onPick}>
            {t('choose')}
          </Button>
        </div>
      )}
      {shown.map((section) => (
        <MatchingSection
          key={section}
          section={section}
          rows={lists[section]}
          later={data ? countLater(data, lists)[section] : 0}
          focusKey={current?.key}
          isDisabled={acts.isRunning}
          scrollRef={scrollRef}
          onFocus={(key) => move(rows.findIndex((row) => row.key === key))}
          onAct={act}
          onDismiss={(row) => setDismissing(lineOf(row))}
          onSplit={(row) => setSplitting(lineOf(row))}
          onAcceptAll={() => acts.accept(sure)}
          onAsk={ask}
        />
      ))}
      {splitting && (
        <SplitSheet
          line={splitting}
          onClose={() => setSplitting(undefined)}
          onSave={(parts) => {
            setSplitting(undefined)
            acts.split(splitting, parts)
          }}
        />
      )}
      {dismissing && (
        <DismissSheet
          line={dismissing}
          onClose={() => setDismissing(undefined)}
          onSave={(reason) => {
            setDismissing(undefined)
            acts.dismiss(dismissing, reason)
          }}
        />
      )}
    </>
  )
}

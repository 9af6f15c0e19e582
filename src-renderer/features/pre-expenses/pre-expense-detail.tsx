import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Session } from '#shared/contract/instance/instance'
import type { PreExpense } from '#shared/contract/pre-expenses'
import { preExpenseStateOf } from '#shared/domain/pre-expense-state'
import { actOnSaved } from '../../state/open-forms'
import { ApiError } from '../../api/client'
import { KeptEditNotice } from '../../ui/form/draft-notice'
import { Amount } from '../../ui/values/amount'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { FactList } from '../../ui/values/fact-list'
import { isPlainDate } from '../../ui/values/format'
import { Instant } from '../../ui/values/instant'
import { KeyHint } from '../../ui/keys/key-hint'
import { PaneHead } from '../../ui/panes/pane-head'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { ConvertFields } from './convert-fields'
import { toInformationLines } from './information'
import { sourceOf } from './source'
import classes from './pre-expenses.module.css'

/** What can be asked for in the detail; each is a key of the screen too. */
export type DetailActions = {
  readonly convert: (pre_expense: PreExpense) => void
  readonly ignore: (pre_expense: PreExpense) => void
  readonly restore: (pre_expense: PreExpense) => void
  readonly remove: (pre_expense: PreExpense) => void
  readonly converted: (pre_expense: PreExpense) => void
  readonly leaveConvert: () => void
  readonly close: () => void
}

/** The props of the detail: the data, or why it could not be read. */
export type PreExpenseDetailProps = {
  pre_expense: PreExpense | undefined
  error: Error | null
  onRetry: () => void
  session: Session
  isConverting: boolean
  actions: DetailActions
}

/** One pre-expense: its data, the integration's information, and its acts. */
export function PreExpenseDetail({ pre_expense, error, onRetry, session, isConverting, actions }: PreExpenseDetailProps) {
  const { t } = useTranslation('pre-expenses')
  if (error instanceof ApiError && error.status === 404)
    return <EmptyState sentence={t('notFound')} action={{ label: t('close'), run: actions.close }} />
  if (error && !pre_expense) return <ErrorState happened={t('error')} kept={t('errorKept')} onRetry={onRetry} error={error} />
  if (!pre_expense) return <SkeletonRows count={8} />
  const isWaiting = preExpenseStateOf(pre_expense) === 'waiting_approval'
  return (
    <>
      <Head pre_expense={pre_expense} onClose={actions.close} />
      <div className={classes.body}>
        {isConverting && isWaiting ? (
          <ConvertFields
            key={pre_expense.id}
            pre_expense={pre_expense}
            session={session}
            onDone={() => actions.converted(pre_expense)}
            onCancel={actions.leaveConvert}
          />
        ) : (
          <>
            {isWaiting && (
              <KeptEditNotice form="pre-expense-convert" record={pre_expense.id} onResume={() => actions.convert(pre_expense)} />
            )}
            <Moves pre_expense={pre_expense} actions={actions} />
            <Facts pre_expense={pre_expense} />
          </>
        )}
        <Information pre_expense={pre_expense} />
      </div>
    </>
  )
}

function Head({ pre_expense, onClose }: { pre_expense: PreExpense; onClose: () => void }) {
  const { t } = useTranslation('pre-expenses')
  const { description, amount, currency, occurred_at, id } = pre_expense
  return (
    <PaneHead
      title={description ?? t('untitled')}
      amount={amount !== null && currency !== null && <Amount amount={amount} currency={currency} />}
      onClose={onClose}
    >
      <span>{t(`stateOfOne.${preExpenseStateOf(pre_expense)}`)}</span>
      {occurred_at !== null && <Instant value={occurred_at} show={isPlainDate(occurred_at) ? 'day' : 'moment'} />}
      <span className="tabular">#{id}</span>
    </PaneHead>
  )
}

function Moves({ pre_expense, actions }: { pre_expense: PreExpense; actions: DetailActions }) {
  const { t } = useTranslation('pre-expenses')
  const state = preExpenseStateOf(pre_expense)
  const { expense_id } = pre_expense
  return (
    <div className={classes.moves}>
      {state === 'waiting_approval' && (
        <>
          <Button onClick={() => actOnSaved(t('action.convert'), () => actions.convert(pre_expense))} rightSection={<KeyHint keys="e" />}>
            {t('action.convert')}
          </Button>
          <Button
            variant="default"
            onClick={() => actOnSaved(t('action.ignore'), () => actions.ignore(pre_expense))}
            rightSection={<KeyHint keys="i" />}
          >
            {t('action.ignore')}
          </Button>
        </>
      )}
      {state === 'ignored' && (
        <Button onClick={() => actOnSaved(t('action.restore'), () => actions.restore(pre_expense))} rightSection={<KeyHint keys="r" />}>
          {t('action.restore')}
        </Button>
      )}
      {state === 'converted' && expense_id !== null && (
        <Button component={Link} href={`/expenses/${expense_id}`}>
          {t('action.openExpense')}
        </Button>
      )}
      <Button variant="subtle" color="gray" onClick={() => actOnSaved(t('action.delete'), () => actions.remove(pre_expense))}>
        {t('action.delete')}
      </Button>
    </div>
  )
}

function Facts({ pre_expense }: { pre_expense: PreExpense }) {
  const { t } = useTranslation('pre-expenses')
  const { amount, currency, occurred_at, tags, external_id, created_at, ignored_at, converted_at, status } = pre_expense
  const missing = <span className={classes.quiet}>{t('missing')}</span>
  const facts: ReadonlyArray<{ label: string; value: ReactNode }> = [
    { label: t('field.amount'), value: amount === null || currency === null ? missing : <Amount amount={amount} currency={currency} /> },
    { label: t('field.date'), value: occurred_at === null ? missing : <Instant value={occurred_at} /> },
    { label: t('field.source'), value: <Source pre_expense={pre_expense} /> },
    { label: t('field.tags'), value: tags },
    { label: t('field.externalId'), value: external_id },
    { label: t('field.created'), value: <Instant value={created_at} show="moment" /> },
    { label: t('field.ignored'), value: ignored_at && <Instant value={ignored_at} show="moment" /> },
    { label: t('field.converted'), value: converted_at && <Instant value={converted_at} show="moment" /> },
  ]
  return (
    <>
      {status === 'in_progress' && <p className={classes.hint}>{t('incompleteHint')}</p>}
      <FactList facts={facts.filter(({ value }) => value !== null && value !== '')} />
    </>
  )
}

function Source({ pre_expense }: { pre_expense: PreExpense }) {
  const { t } = useTranslation('pre-expenses')
  const source = sourceOf(pre_expense)
  if (source.kind !== 'statement') return t(`source.${source.kind}`)
  return <Link href={`/statements?card=${source.cardId}`}>{t('source.statement', { card: source.card })}</Link>
}

function Information({ pre_expense }: { pre_expense: PreExpense }) {
  const { t } = useTranslation('pre-expenses')
  const lines = toInformationLines(pre_expense.extra_information)
  // Of a statement it is the card alone, which is the source.
  if (lines.length === 0 || sourceOf(pre_expense).kind === 'statement') return null
  return (
    <section aria-labelledby="pre-expense-information">
      <h3 id="pre-expense-information" className={classes.blockTitle}>
        {t('information')}
      </h3>
      <FactList facts={lines.map(({ name, value }) => ({ label: name, value }))} />
    </section>
  )
}

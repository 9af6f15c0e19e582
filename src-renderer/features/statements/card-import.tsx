import { Button, NativeSelect } from '@mantine/core'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mappedColumns } from '#shared/domain/statements/mapping'
import { failureText } from '../../api/failure-text'
import { type StatementChoices, type StatementReport, sendStatement } from '../../api/statements/statements'
import { Attempts } from '../../state/attempts'
import { notifyDone } from '../../state/notices'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { Amount } from '../../ui/values/amount'
import { Instant } from '../../ui/values/instant'
import { AccountChoice, ImportProof, LeftOut, differenceOf } from './import-proof'
import { UnsureLines } from './unsure-lines'
import classes from './statements.module.css'

/** A file, and the card whose statement it is. */
export interface ChosenStatement {
  readonly file: File
  readonly card: { readonly id: number; readonly name: string }
}

/**
 * What a statement would add to a card, how it is read, and the key that adds it. Nothing is stored before that. `account`: whose lines in the file
 * these are; without it the server decides, and the person sees the accounts (`onAccounts`) and can choose another.
 */
export function CardImport({
  organizationId,
  chosen,
  account: fixed,
  onAccounts,
  onClose,
}: {
  organizationId: number
  chosen: ChosenStatement
  account?: string
  onAccounts?: (accounts: StatementReport['accounts']) => void
  onClose: () => void
}) {
  const { t } = useTranslation('statements')
  const { file, card } = chosen
  const [mapping, setMapping] = useState<StatementChoices>()
  const [account, setAccount] = useState(fixed)
  const titleId = useId()
  const [seen, setSeen] = useState<string>()
  const [report, setReport] = useState<StatementReport>()
  const [failure, setFailure] = useState<string>()
  const [isRunning, setRunning] = useState(false)
  const [added, setAdded] = useState<ReadonlySet<number>>(new Set())
  const [attempts] = useState(() => new Attempts<StatementReport>())
  const headRef = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    let isCurrent = true
    sendStatement(organizationId, { card_id: card.id, file, mapping, account }).then(
      (read) => {
        if (!isCurrent) return
        setReport(read)
        onAccounts?.(read.accounts)
        setAdded(new Set())
        setFailure(undefined)
      },
      (error: unknown) => isCurrent && setFailure(failureText(error)),
    )
    return () => {
      isCurrent = false
    }
  }, [organizationId, card.id, file, mapping, account, onAccounts])
  useLayoutEffect(() => {
    if (fixed === undefined) headRef.current?.focus()
  }, [fixed])
  const run = async () => {
    setRunning(true)
    try {
      const asked = { card_id: card.id, mapping: mapping ?? report?.mapping, account, difference: seen, addUnsure: [...added] }
      const done = await attempts.run(asked, (idempotencyKey) => sendStatement(organizationId, { ...asked, file, idempotencyKey }))
      notifyDone(t('report.done', { count: done.added, card: card.name }))
      onClose()
    } catch (error) {
      setFailure(failureText(error))
      setRunning(false)
    }
  }
  const difference = differenceOf(report?.proof)
  const count = (report?.added ?? 0) + added.size
  const canRun = report?.undecided.length === 0 && count > 0 && seen === difference && !isRunning
  return (
    <section className={classes.panel} aria-labelledby={titleId}>
      <h2 id={titleId} ref={headRef} tabIndex={-1} className={classes.title}>
        {t('report.title', { file: file.name })} · {card.name}
      </h2>
      {failure !== undefined && (
        <p className={classes.failure} role="alert">
          {t('report.failed', { file: file.name })} {failure}
        </p>
      )}
      {!report && failure === undefined && <SkeletonRows count={3} />}
      {report && <Report report={report} />}
      {report?.proof && (
        <ImportProof proof={report.proof} isSeen={seen === difference} onSeen={(isSeen) => setSeen(isSeen ? difference : undefined)} />
      )}
      {report && fixed === undefined && (report.accounts.length > 1 || report.undecided.some(({ column }) => column === 'account')) && (
        <AccountChoice accounts={report.accounts} onChange={setAccount} />
      )}
      {report && <LeftOut groups={report.left_out} />}
      {report && report.unsure.length > 0 && <UnsureLines report={report} added={added} onChange={setAdded} />}
      {report && report.headers.length > 0 && <MappingFields report={report} onChange={setMapping} />}
      {report && report.rows > 0 && <FirstLines report={report} />}
      <div className={classes.actions}>
        <Button disabled={!canRun} loading={isRunning} onClick={() => void run()}>
          {t('report.run', { count })}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </section>
  )
}

const mostProblems = 10

function Report({ report }: { report: StatementReport }) {
  const { t } = useTranslation('statements')
  const { added, known, unsure_count, refused, problems, undecided, notes, first_day, last_day, format, encoding } = report
  return (
    <>
      <p className={classes.counts} aria-live="polite">
        <strong>{t('report.added', { count: added })}</strong>
        <span>{t('report.known', { count: known })}</span>
        {unsure_count > 0 && <strong>{t('report.unsure', { count: unsure_count })}</strong>}
        {refused > 0 && <strong>{t('report.refused', { count: refused })}</strong>}
        {first_day !== null && last_day !== null && (
          <span className={classes.quiet}>
            <Instant value={`${first_day}T00:00:00Z`} /> – <Instant value={`${last_day}T00:00:00Z`} />
          </span>
        )}
        <span className={classes.quiet}>{t('report.format', { format: format.toUpperCase(), encoding })}</span>
      </p>
      {undecided.map(({ column, reason }) => (
        <p key={`${column} ${reason}`} className={classes.failure} role="alert">
          {t([`mapping.${column}`, column])}: {reason}
        </p>
      ))}
      {notes.map((note) => (
        <p key={note} className={classes.counts}>
          {note}
        </p>
      ))}
      {added === 0 && refused === 0 && unsure_count === 0 && undecided.length === 0 && (
        <p className={classes.counts}>{t('report.nothing')}</p>
      )}
      {problems.length > 0 && (
        <ul className={classes.problems}>
          {problems.slice(0, mostProblems).map(({ line, reason }) => (
            <li key={line}>
              {t('report.line', { line })}: {reason}
            </li>
          ))}
          {refused > mostProblems && <li>{t('report.more', { count: refused - mostProblems })}</li>}
        </ul>
      )}
    </>
  )
}

/** How a delimited file is read: guessed, kept with the card, and changed here. */
function MappingFields({
  report: { headers, mapping, undecided },
  onChange,
}: {
  report: StatementReport
  onChange: (mapping: StatementChoices) => void
}) {
  const { t } = useTranslation('statements')
  const [isOpen, setOpen] = useState(false)
  const columns = ['', ...headers].map((name) => ({ value: name, label: name === '' ? t('report.none') : name }))
  const choose = (name: keyof StatementChoices, value: string) => {
    const { [name]: _, ...rest } = mapping
    onChange(value === '' ? rest : { ...rest, [name]: name === 'text' ? [value] : value })
  }
  const choice = (name: 'date_order' | 'decimal' | 'spent', values: ReadonlyArray<readonly [string, string]>) => (
    <NativeSelect
      size="xs"
      label={t(`mapping.${name}`)}
      value={mapping[name] ?? ''}
      data={[...(mapping[name] === undefined ? [{ value: '', label: '–' }] : []), ...values.map(([value, label]) => ({ value, label }))]}
      onChange={(event) => choose(name, event.currentTarget.value)}
    />
  )
  return (
    <details open={isOpen || undecided.length > 0} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={classes.summary}>{t('report.columns')}</summary>
      <fieldset className={classes.fields} aria-label={t('report.columns')}>
        {mappedColumns.map((name) => (
          <NativeSelect
            key={name}
            size="xs"
            label={t(`mapping.${name}`)}
            value={name === 'text' ? (mapping.text?.[0] ?? '') : (mapping[name] ?? '')}
            data={columns}
            onChange={(event) => choose(name, event.currentTarget.value)}
          />
        ))}
        {choice(
          'date_order',
          (['dmy', 'mdy', 'ymd'] as const).map((value) => [value, t(`mapping.${value}`)]),
        )}
        {choice('decimal', [
          [',', '1.234,50'],
          ['.', '1,234.50'],
        ])}
        {choice(
          'spent',
          (['positive', 'negative'] as const).map((value) => [value, t(`mapping.${value}`)]),
        )}
      </fieldset>
    </details>
  )
}

function FirstLines({ report: { lines, rows } }: { report: StatementReport }) {
  const { t } = useTranslation('statements')
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col" className={classes.quiet}>
              {t('line')}
            </th>
            <th scope="col" className={classes.quiet}>
              {t('date')}
            </th>
            <th scope="col" className={classes.quiet}>
              {t('text')}
            </th>
            <th scope="col" className={classes.quiet} data-amount>
              {t('amount')}
            </th>
            <th scope="col" className={classes.quiet}>
              {t('state')}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((one) => (
            <tr key={`${one.line} ${one.day} ${one.name}`}>
              <td className={classes.quiet}>{one.line}</td>
              <td>
                <Instant value={`${one.day}T00:00:00Z`} />
              </td>
              <td>{one.name}</td>
              <td data-amount>
                <Amount amount={one.amount} currency={one.currency} />
              </td>
              <td className={classes.quiet}>{t(one.is_known ? 'report.known_one' : `lineKind.${one.line_kind}`, { count: 1 })}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows > lines.length && <p className={classes.quiet}>{t('report.more', { count: rows - lines.length })}</p>}
    </div>
  )
}

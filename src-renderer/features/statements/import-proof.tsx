import { Checkbox, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { StatementReport } from '../../api/statements/statements'
import { usePreferences } from '../../state/preferences'
import { formatMoney } from '../../ui/values/format'
import classes from './statements.module.css'

/** The difference of a statement's proof as an import names it; undefined if its lines come to its sums, or it has none. */
export function differenceOf(proof: StatementReport['proof'] | undefined): string | undefined {
  if (!proof || proof.reason === null) return undefined
  return proof.difference === null ? 'unknown' : String(proof.difference)
}

/** What the file's own sums say of its lines. Lines that do not come to them are added only if the person has seen by how much. */
export function ImportProof({
  proof,
  isSeen,
  onSeen,
}: {
  proof: NonNullable<StatementReport['proof']>
  isSeen: boolean
  onSeen: (isSeen: boolean) => void
}) {
  const { t } = useTranslation('statements')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const { lines, sum, currency, opening, closing, difference, reason } = proof
  const money = (amount: number) => formatMoney({ amount, currency }, { language, display })
  const isWrong = reason !== null
  return (
    <>
      <p className={classes.counts} aria-live="polite">
        <span>{t('proof.lines', { count: lines, sum: money(sum) })}</span>
        {opening !== null && closing !== null && (
          <span className={classes.quiet}>{t('proof.balances', { opening: money(opening), closing: money(closing) })}</span>
        )}
        {!isWrong && difference !== null && <strong>{t('proof.zero', { amount: money(difference) })}</strong>}
        {!isWrong && difference === null && (
          <span className={classes.quiet}>{t(closing !== null && opening === null ? 'proof.closingOnly' : 'proof.none')}</span>
        )}
      </p>
      {isWrong && (
        <>
          <p className={classes.failure} role="alert">
            {difference !== null && `${t('proof.differs', { amount: money(difference) })} `}
            {reason}
          </p>
          <Checkbox
            checked={isSeen}
            onChange={(event) => onSeen(event.currentTarget.checked)}
            label={difference === null ? t('proof.acceptUnknown') : t('proof.accept', { amount: money(difference) })}
          />
        </>
      )}
    </>
  )
}

/** The accounts that a file names, of which one is the card's. */
export function AccountChoice({ accounts, onChange }: { accounts: StatementReport['accounts']; onChange: (account: string) => void }) {
  const { t } = useTranslation('statements')
  return (
    <NativeSelect
      size="xs"
      label={t('account.label')}
      value={accounts.find(({ is_taken }) => is_taken)?.account ?? ''}
      data={[
        { value: '', label: t('account.choose'), disabled: true },
        ...accounts.map(({ account, lines }) => ({ value: account, label: t('account.option', { account, count: lines }) })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** Rows of a file that are no lines of the card, by reason. */
export function LeftOut({ groups }: { groups: StatementReport['left_out'] }) {
  const { t } = useTranslation('statements')
  return (
    <>
      {groups.map(({ reason, count, lines }) => (
        <details key={reason}>
          <summary>{t(`leftOut.${reason}`, { count })}</summary>
          <ul className={classes.problems}>
            {lines.map(({ line, text }) => (
              <li key={line}>
                {t('report.line', { line })}
                {text !== '' && `: ${text}`}
              </li>
            ))}
            {count > lines.length && <li>{t('report.more', { count: count - lines.length })}</li>}
          </ul>
        </details>
      ))}
    </>
  )
}

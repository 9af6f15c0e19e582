import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import { failureText } from '../../api/failure-text'
import { useCardLines, useStatementMatching } from '../../api/statements/statements'
import { ErrorState } from '../../ui/feedback/error-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { Amount } from '../../ui/values/amount'
import { Instant } from '../../ui/values/instant'
import classes from './cards.module.css'

/** What a card was charged: its lines, latest first, what they come to, and which of them want an expense. */
export function CardStatement({ card }: { card: CorporativeCard }) {
  const { t } = useTranslation('statements')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useCardLines(card.organization.id, card.id)
  const { data: matching } = useStatementMatching(card.organization.id, card.id)
  if (error && !data)
    return <ErrorState happened={t('onCard.failed')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
  if (!data) return <SkeletonRows count={4} />
  const lines = data.pages.flatMap(({ statement_lines }) => statement_lines)
  const open = new Set(matching?.lines.map(({ id }) => id) ?? [])
  const missing = matching?.lines_count ?? 0
  return (
    <section aria-labelledby="card-statement">
      <h3 id="card-statement" className={classes.title}>
        {t('onCard.title')}
      </h3>
      {lines.length === 0 && <p className={classes.hint}>{t('onCard.none')}</p>}
      {lines.length > 0 && <Sums lines={lines} />}
      <p className={classes.hint}>
        {missing > 0 && <strong>{t('onCard.missing', { count: missing })}. </strong>}
        <Link href={`/statements?card=${card.id}`}>{t(lines.length === 0 ? 'import' : 'onCard.toMatching')}</Link>
      </p>
      <ul className={classes.lines}>
        {lines.map((line) => (
          <li key={line.id}>
            <span className={classes.lineName}>{line.name}</span>
            <Amount amount={line.amount} currency={line.currency} />
            <span className={classes.hint}>
              <Instant value={line.occurred_at} /> · {t(`lineKind.${line.line_kind}`)}
              {line.line_kind !== 'payment' && ` · ${line.reason ?? t(open.has(line.id) ? 'onCard.open' : 'onCard.matched')}`}
            </span>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('onCard.more')}
        </Button>
      )}
    </section>
  )
}

/** What the lines that are shown come to, by currency: exact, in the currency's own decimals. */
function Sums({ lines }: { lines: ReadonlyArray<{ amount: number; currency: string; line_kind: string }> }) {
  const { t } = useTranslation('statements')
  const sums = new Map<string, { spent: number; returned: number }>()
  for (const { amount, currency, line_kind } of lines) {
    if (line_kind === 'payment') continue
    const sum = sums.get(currency) ?? { spent: 0, returned: 0 }
    sums.set(currency, amount > 0 ? { ...sum, spent: sum.spent + amount } : { ...sum, returned: sum.returned - amount })
  }
  const round = (amount: number) => Math.round(amount * 10_000) / 10_000
  return [...sums].map(([currency, { spent, returned }]) => (
    <p key={currency} className={classes.hint}>
      {t('onCard.spent')} <Amount amount={round(spent)} currency={currency} />
      {returned > 0 && (
        <>
          {' · '}
          {t('onCard.returned')} <Amount amount={round(returned)} currency={currency} />
        </>
      )}
    </p>
  ))
}

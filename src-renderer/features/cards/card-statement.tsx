import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import { failureText } from '../../api/failure-text'
import { useCardLines, useCardTotals } from '../../api/statements/statements'
import { ErrorState } from '../../ui/feedback/error-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { Amount } from '../../ui/values/amount'
import { Instant } from '../../ui/values/instant'
import classes from './cards.module.css'

/** What a card was charged: its lines, latest first, what they come to, and which of them want an expense. */
export function CardStatement({ card }: { card: CorporativeCard }) {
  const { t } = useTranslation('statements')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useCardLines(card.organization.id, card.id)
  const { data: totals } = useCardTotals(card.organization.id, card.id)
  if (error && !data)
    return <ErrorState happened={t('onCard.failed')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
  if (!data) return <SkeletonRows count={4} />
  const lines = data.pages.flatMap((page) => page.lines.map((line) => ({ ...line, isMatched: page.matched.has(line.id) })))
  const missing = totals?.open_lines ?? 0
  return (
    <section aria-labelledby="card-statement">
      <h3 id="card-statement" className={classes.title}>
        {t('onCard.title')}
      </h3>
      {lines.length === 0 && <p className={classes.hint}>{t('onCard.none')}</p>}
      {totals?.totals.map(({ currency, spent, returned }) => (
        <p key={currency} className={classes.hint}>
          {t('onCard.spent')} <Amount amount={spent} currency={currency} />
          {returned > 0 && (
            <>
              {' · '}
              {t('onCard.returned')} <Amount amount={returned} currency={currency} />
            </>
          )}
        </p>
      ))}
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
              {line.line_kind !== 'payment' && ` · ${line.reason ?? t(line.isMatched ? 'onCard.matched' : 'onCard.open')}`}
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

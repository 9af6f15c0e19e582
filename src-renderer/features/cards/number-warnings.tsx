import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { fitsCheckDigit, lastDigitsOf, maskCardNumber, parseCardNumber } from '#shared/domain/card-numbers'
import { cardKeys, readCardPage } from '../../api/corporative-cards'
import classes from './cards.module.css'

/** The preview of a number while typing: how a stored card would show it, and whether its check digit fits. */
export type TypedNumber = { readonly masked: string; readonly fits: boolean }

/** What to warn by; null while the digits are no whole card number. */
export function toTypedNumber(digits: string): TypedNumber | null {
  const number = parseCardNumber(digits)
  if (number === undefined) return null
  return { masked: maskCardNumber({ length: number.length, last4: lastDigitsOf(number) }), fits: fitsCheckDigit(number) }
}

/**
 * Warns, before a card is sent, of a number that fails the check digit or looks like one of a card that the user sees in the
 * organization. Neither is an error.
 */
export function NumberWarnings({ typed, organizationId }: { typed: TypedNumber | null; organizationId: number | null }) {
  const { t } = useTranslation('cards')
  const scope = { kind: 'organization', organizationId: organizationId ?? 0 } as const
  const { data: cards = [] } = useQuery({
    queryKey: [...cardKeys.list(scope), 'first-page'],
    queryFn: async ({ signal }) => (await readCardPage(scope, 1, signal)).rows,
    enabled: typed !== null && organizationId !== null,
  })
  const twin = cards.find(({ number }) => number === typed?.masked)
  return (
    <div role="status" className={classes.warnings}>
      {typed?.fits === false && <Warning text={t('failsCheckDigit')} />}
      {typed && twin && <Warning text={t('alreadyExists', { digits: typed.masked.slice(-4), name: twin.name })} />}
    </div>
  )
}

function Warning({ text }: { text: string }) {
  return (
    <span className={classes.warning}>
      <TriangleAlert size={14} aria-hidden /> {text}
    </span>
  )
}

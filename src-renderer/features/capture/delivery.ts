import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import type { Session } from '#shared/contract/instance/instance'
import { forgetCaptures } from '../../api/captures'
import { sessionKey } from '../../api/session'
import { useDraftDelivery } from '../../state/draft-delivery'
import { usePreferences } from '../../state/preferences'
import { sendNow } from '../../state/sending'
import { formatMoney } from '../../ui/values/format'
import { notifyDone, notifyFailure } from '../../state/notices'

/** Sends submitted drafts from any screen, and reports their outcomes. */
export function useDelivery(session: Session): void {
  const { t } = useTranslation('capture')
  const client = useQueryClient()
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const describe = ({ description, amount, currency }: Expense) =>
    `${description ?? t('untitled')}, ${formatMoney({ amount, currency }, { language, display })}`
  useDraftDelivery(session.user.uid, {
    onRecorded: (expense) =>
      notifyDone(t('recorded', { expense: describe(expense) }), { link: { label: t('open'), href: `/expenses/${expense.id}` } }),
    onAttached: ({ capture_id }) => {
      if (capture_id !== null) forgetCaptures(client, [capture_id])
    },
    onRefused: ({ form }, { message }) =>
      notifyFailure({
        title: t('refused.title', { description: shorten(form.description.trim()) || t('untitled') }),
        message: t('refused.kept', { reason: message }),
      }),
    onSignedOut: () => void client.invalidateQueries({ queryKey: sessionKey }),
    onNoRoom: ({ message }) => notifyFailure({ title: message, message: t('keptUntilRoom') }),
  })
  // Signing in again makes a new session.
  useEffect(() => sendNow(), [session])
}

const longestName = 80

/** A description as a notice names it: the reason after it has to stay on the screen. */
function shorten(description: string): string {
  return description.length > longestName ? `${description.slice(0, longestName).trimEnd()}…` : description
}

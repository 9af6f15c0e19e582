import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import type { Session } from '#shared/contract/instance/instance'
import { addCaptures, forgetCaptures } from '../../api/captures'
import { draftJobs, notifyFrame } from '../../state/draft-delivery'
import { flushDrafts, loadDrafts, useDrafts } from '../../state/drafts'
import { announce, notifyDone, notifyFailure } from '../../state/notices'
import { loadOutbox, outboxJobs, useOutbox } from '../../state/outbox'
import { usePreferences } from '../../state/preferences'
import { type SendingEvent, sendNow, startSending, useSending } from '../../state/sending'
import { formatMoney } from '../../ui/values/format'
import { keyRoots } from '../../api/keys'

/** Keeps the drafts and files of the person who is signed in loaded, sent and counted on any screen, and reports what becomes of them. */
export function useDelivery(session: Session): void {
  const { uid } = session.user
  const onEvent = useEffectEvent(useReport())
  useEffect(() => {
    const stopSending = startSending([draftJobs, outboxJobs], (event) => onEvent(event))
    void loadDrafts(uid).then(sendNow)
    loadOutbox(uid)
    const stopCounting = [useDrafts, useOutbox, useSending].map((store) => store.subscribe(notifyFrame))
    const onHide = () => {
      if (document.visibilityState === 'hidden') flushDrafts()
    }
    window.addEventListener('pagehide', flushDrafts)
    document.addEventListener('visibilitychange', onHide)
    return () => {
      stopSending()
      for (const stop of stopCounting) stop()
      window.removeEventListener('pagehide', flushDrafts)
      document.removeEventListener('visibilitychange', onHide)
    }
  }, [uid])
  // Signing in again makes a new session.
  useEffect(() => sendNow(), [session])
}

function useReport(): (event: SendingEvent) => void {
  const { t } = useTranslation('capture')
  const client = useQueryClient()
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const describe = ({ description, amount, currency }: Expense) =>
    `${description ?? t('untitled')}, ${formatMoney({ amount, currency }, { language, display })}`
  return (event) => {
    switch (event.kind) {
      case 'recorded': {
        const { expense } = event
        return notifyDone(t('recorded', { expense: describe(expense) }), { link: { label: t('open'), href: `/expenses/${expense.id}` } })
      }
      case 'rejected': {
        const { draft, error } = event
        return notifyFailure({
          title: t('refused.title', { description: shorten(draft.form.description.trim()) || t('untitled') }),
          message: t('refused.kept', { reason: error.message }),
        })
      }
      case 'captured':
        return addCaptures(client, event.captures)
      case 'attached':
        return forgetCaptures(client, [event.capture_id])
      case 'added':
        return announce(t('expense:attachments.attached', { name: event.name }))
      case 'signed_out':
        return void client.invalidateQueries({ queryKey: keyRoots.session })
      case 'no_room':
        return notifyFailure({ title: event.error.message, message: t('keptUntilRoom') })
    }
  }
}

const longestName = 80

/** A description as a notice names it: the reason after it has to stay on the screen. */
function shorten(description: string): string {
  return description.length > longestName ? `${description.slice(0, longestName).trimEnd()}…` : description
}

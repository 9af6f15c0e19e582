import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import type { Capture } from '#shared/contract/captures'
import type { Session } from '#shared/contract/instance/instance'
import { findCaptures } from '../../api/captures'
import { failureText } from '../../api/failure-text'
import { capturesIn, createDraft, type Draft, toReceipt } from '../../state/draft'
import { findDraft, putDraft, readReceipt, storeDraft, useDrafts } from '../../state/drafts'
import { usePreferences } from '../../state/preferences'
import { announce, notifyFailure } from '../../state/notices'
import { draftDefaults } from './last-used'

/** Shows the draft in the form from its beginning: its receipt in view, the focus where an expense begins to be typed. */
export function showCurrentDraft(): void {
  document.querySelector('[data-receipts]')?.scrollIntoView({ block: 'nearest' })
  const first = document.querySelector<HTMLElement>('[data-field="amount"], [data-field="origin"]')
  first?.focus()
  // A field that has the focus already is not scrolled to by it, and where both share a column the receipts have taken its place.
  first?.scrollIntoView({ block: 'nearest' })
}

/** What making expenses of captures needs. `fill`: has the invoices among files fill a draft. */
type Making = {
  readonly session: Session
  readonly open: (draftId: string) => void
  readonly fill: (draftId: string, files: readonly File[]) => Promise<unknown>
}

/** Makes one draft of each list of captures and opens the first; `?captures=` in the address does it too, once, with a card from `card=`. */
export function useMakeExpenses({ session, open, fill }: Making): (units: readonly (readonly Capture[])[]) => void {
  const { t } = useTranslation('capture')
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const organizationId = usePreferences((state) => state.organizationId)
  const search = new URLSearchParams(useSearch())
  const [wanted, card] = [search.get('captures'), Number(search.get('card'))]
  const make = useCallback(
    (units: readonly (readonly Capture[])[], card_id: number | null = null) => {
      const { uid, default_currency } = session.user
      const drafts = units.map((unit) => toDraft(unit, createDraft(uid, { ...draftDefaults(organizationId, default_currency), card_id })))
      for (const draft of drafts) {
        putDraft(draft)
        void storeDraft(draft.id).then(() => fillFromReceipts(draft.id, fill))
      }
      if (drafts[0]) open(drafts[0].id)
      if (drafts.length > 1) announce(t('splitDone', { count: drafts.length }))
      requestAnimationFrame(showCurrentDraft)
    },
    [session, organizationId, open, fill, t],
  )
  const makeWanted = useEffectEvent(async (ids: readonly number[], card_id: number | null) => {
    navigate('/capture', { replace: true })
    try {
      const taken = capturesIn(useDrafts.getState().drafts)
      const found = (await findCaptures(client, ids)).filter(({ id }) => !taken.has(id))
      if (found.length > 0) make([found.toSorted((a, b) => a.id - b.id)], card_id)
    } catch (error) {
      notifyFailure({ title: t('inbox.error'), message: failureText(error) })
    }
  })
  useEffect(() => {
    if (wanted !== null) void makeWanted(wanted.split(',').map(Number), card > 0 ? card : null)
  }, [wanted, card])
  return make
}

/** A draft with captures as its receipts; what was noted of them is its description. */
function toDraft(captures: readonly Capture[], draft: Draft): Draft {
  const notes = [...new Set(captures.flatMap(({ note }) => note ?? []))]
  return { ...draft, form: { ...draft.form, description: notes.join(' ') }, files: captures.map(toReceipt) }
}

/** The server serves a file that was just captured once it has looked at it: mostly at once, on a busy server within seconds. */
const preparedWithin = { tries: 60, everyMs: 500 }

async function readOncePrepared(draftId: string, fileId: string): Promise<Blob | undefined> {
  for (let tries = 0; tries < preparedWithin.tries; tries++) {
    if (findDraft(draftId)?.stage.kind !== 'editing') return undefined
    const blob = await readReceipt(fileId).catch(() => undefined)
    if (blob) return blob
    await new Promise((resolve) => setTimeout(resolve, preparedWithin.everyMs))
  }
  return undefined
}

/** Fills a draft from the invoices among its receipts. */
export async function fillFromReceipts(draftId: string, fill: Making['fill']): Promise<void> {
  const invoices = findDraft(draftId)?.files.filter(({ content_type }) => content_type.endsWith('xml')) ?? []
  for (const { id, name, content_type: type } of invoices) {
    const blob = await readOncePrepared(draftId, id)
    if (blob) await fill(draftId, [new File([blob], name, { type })])
  }
}

import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import { deleteCard, setCardActive } from '../../api/corporative-cards'
import { failureText } from '../../api/failure-text'
import { ownWritesShown } from '../../api/own-writes'
import { notifyDone, notifyFailure } from '../../state/notices'
import { forgetActsAbout } from '../../state/undo-stack'
import { useUndo } from '../../ui/feedback/use-undo'

/** What can be done to a card without a form. */
export type CardActs = {
  /** Makes an active card inactive and the other way round; it can be taken back. */
  readonly toggle: (card: CorporativeCard) => void
  readonly remove: (card: CorporativeCard, onDone: () => void) => void
}

/** Carries out an act. */
export function useCardActs(): CardActs {
  const { t } = useTranslation('cards')
  const offerUndo = useUndo({ scope: 'cards-undo', title: t('title') })
  const pending = useRef(new Set<string>())
  const toggle = async (card: CorporativeCard) => {
    // The second press of a double click sees the card as it was before the first.
    if (pending.current.has(card.uid)) return
    pending.current.add(card.uid)
    const writing = setCardActive(card, !card.active)
    const text = t(card.active ? 'done.deactivate' : 'done.activate', { name: card.name })
    offerUndo(text, () => setCardActive(card, card.active), { after: writing.then(() => true), about: card.uid })
    try {
      await writing
      await ownWritesShown()
    } catch (error) {
      notifyFailure({ title: t('failed.change', { name: card.name }), message: failureText(error) })
    } finally {
      pending.current.delete(card.uid)
    }
  }
  const remove = async (card: CorporativeCard, onDone: () => void) => {
    try {
      await deleteCard(card)
      forgetActsAbout(card.uid)
      notifyDone(t('done.delete', { name: card.name }))
      onDone()
    } catch (error) {
      notifyFailure({ title: t('failed.delete', { name: card.name }), message: failureText(error) })
    }
  }
  return { toggle: (card) => void toggle(card), remove: (card, onDone) => void remove(card, onDone) }
}

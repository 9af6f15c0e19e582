import { useTranslation } from 'react-i18next'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import { deleteCard, updateCard } from '../../api/corporative-cards'
import { failureText } from '../../api/failure-text'
import { notifyDone, notifyFailure } from '../../state/notices'
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
  const setActive = (card: CorporativeCard, active: boolean) => updateCard(card, { active })
  const toggle = async (card: CorporativeCard) => {
    try {
      const changed = await setActive(card, !card.active)
      const text = t(changed.active ? 'done.activate' : 'done.deactivate', { name: card.name })
      offerUndo(text, () => setActive(changed, card.active))
    } catch (error) {
      notifyFailure({ title: t('failed.change', { name: card.name }), message: failureText(error) })
    }
  }
  const remove = async (card: CorporativeCard, onDone: () => void) => {
    try {
      await deleteCard(card)
      notifyDone(t('done.delete', { name: card.name }))
      onDone()
    } catch (error) {
      notifyFailure({ title: t('failed.delete', { name: card.name }), message: failureText(error) })
    }
  }
  return { toggle: (card) => void toggle(card), remove: (card, onDone) => void remove(card, onDone) }
}

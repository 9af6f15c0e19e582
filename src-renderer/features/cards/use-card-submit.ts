import { useState } from 'react'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import { formFailures } from '../../api/failure-text'
import { ownWritesShown } from '../../api/own-writes'

/** Sends a card; returns errors by the contract's name of the attribute, those of no attribute as `message`. */
export function useCardSubmit(onSaved: (card: CorporativeCard) => void) {
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [isSending, setSending] = useState(false)
  const submit = async (send: () => Promise<CorporativeCard>): Promise<void> => {
    setSending(true)
    try {
      const card = await send()
      await ownWritesShown()
      onSaved(card)
    } catch (error) {
      setErrors(formFailures(error))
    } finally {
      setSending(false)
    }
  }
  return { errors, setErrors, isSending, submit }
}

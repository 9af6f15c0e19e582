import { useState } from 'react'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
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
      const fields = error instanceof ApiError && error.status === 422 ? Object.entries(error.fields) : []
      const named = fields.map(([name, texts]) => [name, texts.join(' ')] as const)
      setErrors(named.length > 0 ? Object.fromEntries(named) : { message: failureText(error) })
    } finally {
      setSending(false)
    }
  }
  return { errors, setErrors, isSending, submit }
}

import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readSettlement, type SettlementField, type SettlementForm, type SettlementValues } from '../../state/settlement-form'
import { newKey } from '../../ui/values/clock'
import { type FormDraft, type FormDraftInput, useFormDraft } from '../../ui/form/use-form-draft'
import { useSettlementWriting } from './settlement-fields'

/** The errors of a form: by field, and under `form` those of no field; in the user's language. */
export type SettlementErrors = Readonly<Partial<Record<SettlementField | 'form', string>>>

/** A settlement being written. `draft` is what the form around the fields is given. */
export type SettlementDraft<T extends SettlementForm = SettlementForm> = {
  readonly draft: FormDraft<T>
  readonly form: T
  readonly errors: SettlementErrors
  readonly change: (part: Partial<T>) => void
  /** The form's value, with these parts replaced; undefined, with errors at the fields, if it is invalid. */
  readonly read: (part?: Partial<SettlementForm>) => SettlementValues | undefined
  /** Says what the server found wrong: its texts by attribute, or one text for all. */
  readonly refuse: (fields: Readonly<Record<string, readonly string[]>>, message: string) => void
}

const fieldOf: Readonly<Record<string, SettlementField>> = {
  receiver: 'receiver_id',
  amount: 'amount',
  currency: 'currency',
  date: 'date',
  description: 'description',
  tags: 'tags',
}

/** Keeps a settlement while it is edited, with its errors. */
export function useSettlementForm<T extends SettlementForm>(input: FormDraftInput<T>): SettlementDraft<T> {
  const { t } = useTranslation('ui')
  const writing = useSettlementWriting()
  const draft = useFormDraft(input)
  const form = draft.value
  const [errors, setErrors] = useState<SettlementErrors>({})
  return {
    draft,
    form,
    errors,
    change: (part) => {
      draft.change(part)
      setErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => field !== 'form' && !(field in part))))
    },
    read: (part) => {
      const outcome = readSettlement({ ...form, ...part }, writing)
      if (outcome.kind === 'ok') return outcome.values
      setErrors(Object.fromEntries(Object.entries(outcome.problems).map(([field, problem]) => [field, t(`problem.${problem}`)])))
      return undefined
    },
    refuse: (fields, message) => {
      const known = Object.entries(fields).flatMap(([attribute, texts]) => {
        const field = fieldOf[attribute]
        return field ? [[field, texts.join(' ')] as const] : []
      })
      setErrors(known.length > 0 ? Object.fromEntries(known) : { form: message })
    },
  }
}

/** Names each try to write, so that one whose answer was lost is not carried out twice. */
export type AttemptKeys = { readonly keyFor: (body: unknown) => string; readonly answered: () => void }

/** The same body has the same key until it has a response. */
export function useAttemptKeys(): AttemptKeys {
  const last = useRef<{ body: string; key: string } | null>(null)
  return {
    keyFor: (body) => {
      const text = JSON.stringify(body)
      if (last.current?.body !== text) last.current = { body: text, key: newKey() }
      return last.current.key
    },
    answered: () => {
      last.current = null
    },
  }
}

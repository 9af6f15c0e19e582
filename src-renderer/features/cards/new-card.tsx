import { TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import type { Session } from '#shared/contract/instance/instance'
import { type CardFlag, detectCardFlag } from '#shared/domain/card-flags'
import { parseCardNumber } from '#shared/domain/card-numbers'
import { createCard } from '../../api/corporative-cards'
import { usePreferences } from '../../state/preferences'
import { PaneHead } from '../../ui/panes/pane-head'
import { PaneForm } from '../../ui/form/pane-form'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { CardFields, CardUserField } from './card-fields'
import { type CardForm, readExpiration } from './card-form'
import { Flag } from './card-parts'
import classes from './cards.module.css'
import { groupWhileTyping } from './number-typing'
import { NumberWarnings, type TypedNumber, toTypedNumber } from './number-warnings'
import { useCardSubmit } from './use-card-submit'

/** How many digits tell the flag. */
const flagDigits = 6

/** Registers a card. Its number exists only in its input field, and is gone as soon as it is sent. */
export function NewCard({
  session,
  onSaved,
  onClose,
}: {
  session: Session
  onSaved: (card: CorporativeCard) => void
  onClose: () => void
}) {
  const { t } = useTranslation('cards')
  const { t: tUi } = useTranslation('ui')
  const organizationId = usePreferences((state) => state.organizationId)
  const numberRef = useRef<HTMLInputElement>(null)
  const [flag, setFlag] = useState<CardFlag | null>(null)
  const [typed, setTyped] = useState<TypedNumber | null>(null)
  const [hasNumber, setHasNumber] = useState(false)
  const draft = useFormDraft<CardForm>({
    form: 'card-new',
    record: organizationId ?? '',
    stored: { name: '', expiration: '', organization_id: organizationId, user_id: session.user.id },
    hasUnkept: hasNumber,
  })
  const form = draft.value
  const { errors, setErrors, isSending, submit } = useCardSubmit((card) => {
    if (numberRef.current) numberRef.current.value = ''
    draft.done()
    onSaved(card)
  })
  const change = (part: Partial<CardForm>) => {
    setErrors({})
    draft.change(part)
  }
  const send = () => {
    const { name, expiration, organization_id, user_id } = form
    const blank = tUi('problem.blank')
    const number = parseCardNumber(numberRef.current?.value ?? '')
    const problems = {
      ...(number === undefined ? { number: numberRef.current?.value ? t('notANumber') : blank } : {}),
      ...(name.trim() === '' ? { name: blank } : {}),
      ...(expiration.trim() === '' ? { expiration_date: blank } : {}),
      ...(organization_id === null ? { organization_id: blank } : {}),
    }
    if (number === undefined || organization_id === null || Object.keys(problems).length > 0) return setErrors(problems)
    const expiration_date = readExpiration(expiration)
    void submit(() => createCard({ name, number, expiration_date, organization_id, user_id: user_id ?? undefined }))
  }
  return (
    <>
      <PaneHead title={t('new.title')} onClose={onClose} />
      <div className={classes.body}>
        <PaneForm
          draft={draft}
          label={t('new.title')}
          error={errors.message}
          isSending={isSending}
          submitLabel={t('new.submit')}
          focus="[data-field=number]"
          onSubmit={send}
          onCancel={onClose}
        >
          <TextInput
            ref={numberRef}
            label={t('field.number')}
            description={flag ? <Flag name={flag} /> : t('field.numberHint')}
            descriptionProps={{ component: 'div' }}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            inputMode="numeric"
            autoComplete="off"
            spellCheck={false}
            error={errors.number}
            className="tabular"
            data-field="number"
            onInput={(event) => {
              const digits = groupWhileTyping(event.currentTarget)
              setTyped(toTypedNumber(digits))
              setHasNumber(digits !== '')
              setFlag(digits.length >= flagDigits ? detectCardFlag(digits) : null)
              setErrors({})
            }}
          />
          <NumberWarnings typed={typed} organizationId={form.organization_id} />
          <CardFields form={form} onChange={change} errors={errors} session={session} />
          <CardUserField form={form} onChange={change} errors={errors} session={session} />
          <p className={classes.hint}>{t('new.hint')}</p>
        </PaneForm>
      </div>
    </>
  )
}

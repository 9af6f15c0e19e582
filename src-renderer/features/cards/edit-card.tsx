import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import type { Session } from '#shared/contract/instance'
import { updateCard } from '../../api/corporative-cards'
import { KeyHint } from '../../ui/key-hint'
import { notifyDone } from '../../ui/toast'
import { CardFields } from './card-fields'
import { type CardForm, changedCard, toCardForm } from './card-form'
import { CardPane } from './card-pane'
import classes from './cards.module.css'
import { useCardSubmit } from './use-card-submit'

/** A stored card to be changed; its number and its user stay as they are. */
export function EditCard({ card, session, onDone }: { card: CorporativeCard; session: Session; onDone: () => void }) {
  const { t } = useTranslation('cards')
  const { t: tUi } = useTranslation('ui')
  const [before] = useState(() => toCardForm(card))
  const [form, setForm] = useState<CardForm>(before)
  const { errors, setErrors, isSending, submit } = useCardSubmit(() => {
    notifyDone(t('edit.saved'))
    onDone()
  })
  const change = (part: Partial<CardForm>) => {
    setErrors({})
    setForm((known) => ({ ...known, ...part }))
  }
  const send = () => {
    const changes = changedCard(before, form)
    if (Object.keys(changes).length === 0) return onDone()
    void submit(() => updateCard(card, changes))
  }
  return (
    <CardPane title={t('edit.title')} onClose={onDone} onSubmit={send} message={errors.message ?? errors.user_id}>
      <CardFields form={form} onChange={change} errors={errors} session={session} />
      <div className={classes.formActions}>
        <Button variant="default" onClick={onDone} rightSection={<KeyHint keys="escape" />}>
          {tUi('cancel')}
        </Button>
        <Button type="submit" disabled={isSending} rightSection={<KeyHint keys="enter" />}>
          {t('edit.submit')}
        </Button>
      </div>
    </CardPane>
  )
}

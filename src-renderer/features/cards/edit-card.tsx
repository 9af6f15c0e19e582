import { useTranslation } from 'react-i18next'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import type { Session } from '#shared/contract/instance/instance'
import { updateCard } from '../../api/corporative-cards'
import { PaneHead } from '../../ui/panes/pane-head'
import { PaneForm } from '../../ui/form/pane-form'
import { notifyDone } from '../../state/notices'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { CardFields } from './card-fields'
import { type CardForm, changedCard, toCardForm } from './card-form'
import classes from './cards.module.css'
import { useCardSubmit } from './use-card-submit'

const fieldNames: Readonly<Record<string, string>> = { organization_id: 'organization', user_id: 'user' }

/** Edits a stored card; its number and its user stay unchanged. */
export function EditCard({ card, session, onDone }: { card: CorporativeCard; session: Session; onDone: () => void }) {
  const { t } = useTranslation('cards')
  const before = toCardForm(card)
  const draft = useFormDraft<CardForm>({ form: 'card-edit', record: card.id, stored: before })
  const form = draft.value
  const { errors, setErrors, isSending, submit } = useCardSubmit(() => {
    draft.done()
    notifyDone(t('edit.saved'))
    onDone()
  })
  const change = (part: Partial<CardForm>) => {
    setErrors({})
    draft.change(part)
  }
  const send = () => {
    const changes = changedCard(before, form)
    if (Object.keys(changes).length === 0) return onDone()
    void submit(() => updateCard(card, changes))
  }
  return (
    <>
      <PaneHead title={t('edit.title')} onClose={onDone} />
      <div className={classes.body}>
        <PaneForm
          draft={draft}
          words={{
            name: (field) => t(`field.${fieldNames[field] ?? field}`),
            value: (field, value) =>
              field === 'organization_id'
                ? session.memberships.find(({ organization }) => organization.id === value)?.organization.name
                : undefined,
          }}
          label={t('edit.title')}
          error={errors.message ?? errors.user_id}
          isSending={isSending}
          submitLabel={t('edit.submit')}
          focus="[data-field=name]"
          onSubmit={send}
          onCancel={onDone}
        >
          <CardFields form={form} onChange={change} errors={errors} session={session} />
        </PaneForm>
      </div>
    </>
  )
}

import { Button, Select, Textarea } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type Role, grantableRoles } from '#shared/domain/roles'
import { failureText } from '../../api/failure-text'
import { useNotifications } from '../../api/notifications'
import { type InvitationCounts, useInvite } from '../../api/team'
import { DraftForm } from '../../ui/form/draft-form'
import { announce } from '../../state/notices'
import { KeyHint } from '../../ui/keys/key-hint'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { parseAddresses } from './addresses'
import classes from './team.module.css'

type InvitationForm = { readonly text: string; readonly role: Role }

/** Invites several people at once; pieces that are no address stay in the box. */
export function InviteForm({ organizationId, ownRole }: { organizationId: number; ownRole: Role }) {
  const { t } = useTranslation('team')
  const draft = useFormDraft<InvitationForm>({ form: 'invitation-new', record: organizationId, stored: { text: '', role: 'member' } })
  const { text, role } = draft.value
  const [complaint, setComplaint] = useState('')
  const invite = useInvite(organizationId)
  const canMail = useNotifications().data?.mail_server !== false
  const { valid, invalid } = parseAddresses(text)
  const told = (counts: InvitationCounts) =>
    [
      ...(counts.added > 0 ? [t('invite.added', { count: counts.added })] : []),
      ...(counts.notAdded > 0 ? [t('invite.notAdded', { count: counts.notAdded })] : []),
    ].join('; ')
  const send = () => {
    const wrong = invalid.length > 0 ? t('invite.invalid', { count: invalid.length, list: invalid.join(', ') }) : ''
    setComplaint(wrong || (valid.length === 0 ? t('invite.none') : ''))
    if (valid.length === 0) return
    invite.mutate(
      { addresses: valid, role },
      {
        onSuccess: (counts) => {
          draft.done({ text: '', role })
          if (invalid.length > 0) draft.change({ text: invalid.join(', ') })
          announce(told(counts))
        },
      },
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
  }
  return (
    <DraftForm draft={draft} className={classes.form} onSubmit={send}>
      <Textarea
        label={t('invite.addresses')}
        description={t('invite.hint')}
        value={text}
        onChange={(event) => {
          draft.change({ text: event.currentTarget.value })
          setComplaint('')
          invite.reset()
        }}
        onKeyDown={onKeyDown}
        autosize
        minRows={4}
        maxRows={12}
        autoFocus
        spellCheck={false}
        error={complaint === '' ? undefined : complaint}
      />
      <Select
        label={t('invite.role')}
        description={t(`does.${role}`)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={role}
        allowDeselect={false}
        data={grantableRoles(ownRole).map((known) => ({ value: known, label: t(`role.${known}`) }))}
        onChange={(value) => draft.change({ role: grantableRoles(ownRole).find((known) => known === value) ?? role })}
      />
      <p className={classes.quiet}>{t(canMail ? 'invite.text' : 'invite.textNoMail')}</p>
      {invite.data && <p role="status">{told(invite.data)}</p>}
      {invite.error && (
        <p className={classes.failure} role="alert">
          {t('invite.failed', { reason: failureText(invite.error) })}
        </p>
      )}
      <div className={classes.actions}>
        <Button type="submit" loading={invite.isPending} rightSection={<KeyHint keys="mod+enter" />}>
          {valid.length > 0 ? t('invite.sendCount', { count: valid.length }) : t('invite.send')}
        </Button>
      </div>
    </DraftForm>
  )
}

import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import { invitationRoutes, type OfferedInvitation } from '#shared/contract/invitations'
import { ApiError, call } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useSession } from '../../api/session'
import { usePreferences } from '../../state/preferences'
import { DraftForm } from '../../ui/form/draft-form'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { Door } from './door'
import classes from './door.module.css'
import { introduce } from './introduce'

type JoinFormProps = {
  secret: string
  offered: OfferedInvitation
  /** `token` is null for who was a user already. */
  onJoined: (session: Session, token: string | null) => void
  /** The invitation has been used or withdrawn since it was shown. */
  onSpent: () => void
}

/** An invitation's offer, and its questions to the person who accepts it. */
export function JoinForm({ secret, offered, onJoined, onSpent }: JoinFormProps) {
  const { t } = useTranslation('join')
  const locale = usePreferences((state) => state.language)
  const draft = useFormDraft({ form: 'join', record: offered.email, stored: { name: '' } })
  const { name } = draft.value
  const [isBlank, setBlank] = useState(false)
  const { organization, invited_by, email, role, known } = offered
  const accept = useMutation({
    mutationFn: async () => {
      const body = { secret, locale, ...(known ? {} : { name: name.trim() }) }
      const { token, ...session } = await call(invitationRoutes.accept, { body })
      return { token, session: known ? session : await introduce(session, locale) }
    },
    onSuccess: ({ session, token }) => {
      draft.done()
      onJoined(session, token)
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 404) onSpent()
    },
  })
  const submit = () => {
    const isMissing = !known && name.trim() === ''
    setBlank(isMissing)
    if (!isMissing) accept.mutate()
  }
  const names = { organization: organization.name, inviter: invited_by.name }
  return (
    <Door title={t('join', names)}>
      <p className={classes.paragraph}>
        {t('offer', names)} {t(`role.${role}`)}
      </p>
      {organization.expired ? (
        <p className={classes.failure}>{t('expired', names)}</p>
      ) : (
        <DraftForm draft={draft} className={classes.form} onSubmit={submit}>
          <TextInput size="sm" label={t('email')} value={email} readOnly autoComplete="email" />
          {!known && (
            <TextInput
              size="sm"
              label={t('name')}
              value={name}
              onChange={(event) => draft.change({ name: event.currentTarget.value })}
              autoComplete="name"
              autoFocus
              required
              withAsterisk={false}
              maxLength={255}
              error={isBlank ? t('blank') : undefined}
            />
          )}
          <p className={classes.quiet}>{known ? t('known') : t('languageHint')}</p>
          <OtherSession email={email} />
          {accept.error && (
            <p className={classes.failure} role="alert">
              {t(failureKey(accept.error), { reason: failureText(accept.error) })}
            </p>
          )}
          <div className={classes.actions}>
            <Button size="sm" type="submit" loading={accept.isPending} autoFocus={known}>
              {t('go')}
            </Button>
          </div>
        </DraftForm>
      )}
    </Door>
  )
}

/** Says whose session in this browser would end. */
function OtherSession({ email }: { email: string }) {
  const { t } = useTranslation('join')
  const { data: session } = useSession()
  if (!session || session.user.emails.some((own) => own.email.toLowerCase() === email.toLowerCase())) return null
  const name = `${session.user.first_name} ${session.user.last_name}`.trim()
  return <p className={classes.failure}>{t('other', { name, email })}</p>
}

function failureKey(error: Error): string {
  if (!(error instanceof ApiError) || error.status === 0) return 'offline'
  return error.status === 429 ? 'throttled' : 'failed'
}

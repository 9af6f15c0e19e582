import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Invitation } from '#shared/contract/invitations'
import { type Role, canChangeMember } from '#shared/domain/roles'
import { failureText } from '../../api/failure-text'
import { useNotifications } from '../../api/notifications'
import { useInvitationLink, useInvitations, useTeamWrite } from '../../api/team'
import { Instant } from '../../ui/values/instant'
import { notifyDone, notifyFailure } from '../../state/notices'
import { InvitationLink } from './invitation-link'
import classes from './team.module.css'

/** The invitations that nobody has accepted yet: how far each has come, and what can be done about it. */
export function InvitationList({ organizationId, ownRole }: { organizationId: number; ownRole: Role }) {
  const { t } = useTranslation('team')
  const { data } = useInvitations(organizationId, true)
  const canMail = useNotifications().data?.mail_server !== false
  const write = useTeamWrite(organizationId)
  const { mutate: makeLink, data: linked, isPending, reset } = useInvitationLink(organizationId)
  const run = (kind: 'resend' | 'withdraw', invitation: Invitation) =>
    write.mutate(
      { kind, invitation },
      {
        onSuccess: () => notifyDone(t(kind === 'resend' ? 'invitation.resent' : 'invitation.withdrawn', { email: invitation.email })),
        onError: (error) => notifyFailure({ title: t('errorKept'), message: failureText(error) }),
      },
    )
  if (!data || data.length === 0) return null
  return (
    <section className={classes.invitations} aria-label={t('invitation.title')} tabIndex={0}>
      <h2 className={classes.invitationsTitle}>
        {t('invitation.title')} <span className="tabular">{data.length}</span>
      </h2>
      {!canMail && <p className={classes.invitationsNote}>{t('invitation.noMailServer')}</p>}
      <ul className={classes.list}>
        {data.map((invitation) => (
          <InvitationItem
            key={invitation.id}
            invitation={invitation}
            isManaged={canChangeMember(ownRole, invitation.role)}
            onLink={() =>
              isPending ||
              makeLink(invitation.id, { onError: (error) => notifyFailure({ title: t('link.failed'), message: failureText(error) }) })
            }
            onResend={canMail ? () => run('resend', invitation) : undefined}
            onWithdraw={() => run('withdraw', invitation)}
          />
        ))}
      </ul>
      {linked?.link && <InvitationLink email={linked.email} link={linked.link} onClose={reset} />}
    </section>
  )
}

/** `onResend` is absent where no e-mail is sent. */
type InvitationItemProps = {
  invitation: Invitation
  isManaged: boolean
  onLink: () => void
  onResend: (() => void) | undefined
  onWithdraw: () => void
}

/** Withdrawing cannot be undone, so the second press, whose button says so, does it. */
function InvitationItem({ invitation, isManaged, onLink, onResend, onWithdraw }: InvitationItemProps) {
  const { t } = useTranslation('team')
  const [isAsking, setAsking] = useState(false)
  const { email, role, invited_by, state } = invitation
  return (
    <li className={classes.item}>
      <span className={classes.itemMain} title={t('invitation.by', { name: invited_by.name })}>
        {email}
      </span>
      <span className={classes.itemSide}>{t(`role.${role}`)}</span>
      <InvitationState invitation={invitation} />
      {isManaged && (
        <span className={classes.actions}>
          {onResend && (
            <Button variant="subtle" color="gray" onClick={onResend} aria-label={t('invitation.resendNamed', { email })}>
              {t('invitation.resend')}
            </Button>
          )}
          {(onResend === undefined || (state !== 'waiting' && state !== 'sent')) && (
            <Button variant="subtle" color="gray" onClick={onLink} aria-label={t('link.getNamed', { email })}>
              {t('link.get')}
            </Button>
          )}
          <Button
            variant="subtle"
            color={isAsking ? 'red' : 'gray'}
            onClick={() => (isAsking ? onWithdraw() : setAsking(true))}
            onBlur={() => setAsking(false)}
            aria-label={isAsking ? undefined : t('invitation.withdrawNamed', { email })}
          >
            {isAsking ? t('invitation.withdrawSure') : t('invitation.withdraw')}
          </Button>
        </span>
      )}
    </li>
  )
}

function InvitationState({ invitation: { state, sent_at, last_error } }: { invitation: Invitation }) {
  const { t } = useTranslation('team')
  const isStuck = state === 'failed' || state === 'expired'
  return (
    <span className={`${classes.itemSide} ${isStuck ? classes.itemFailed : ''}`} title={last_error ?? undefined}>
      {state === 'waiting' && last_error !== null ? t('invitation.retrying') : t(`invitation.${state}`)}
      {state === 'failed' && last_error !== null && `: ${last_error}`}
      {state === 'sent' && sent_at !== null && (
        <>
          {' '}
          <Instant value={sent_at} show="moment" />
        </>
      )}
    </span>
  )
}

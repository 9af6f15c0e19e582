import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { invitationRoutes, type OfferedInvitation } from '#shared/contract/invitations'
import type { Session } from '#shared/contract/instance/instance'
import { ApiError, call } from '../../api/client'
import { usePreferences } from '../../state/preferences'
import { noteShownToken, noteTokenKept } from '../../state/shown-token'
import { ErrorState } from '../../ui/feedback/error-state'
import { Door } from './door'
import classes from './door.module.css'
import { dropInvitationSecret, takeInvitationSecret } from './entry-code'
import { JoinForm } from './join-form'
import { ShownOnce } from '../../ui/values/shown-once'
import { keyRoots } from '../../api/keys'

/** Who has just joined, where, and the token that is shown to them once. */
type Joined = { session: Session; token: string; organization: OfferedInvitation['organization'] }

/** Where the link of an invitation leads: what it offers, accepting it, and how to come back later. */
export function JoinScreen() {
  const [secret] = useState(takeInvitationSecret)
  const [joined, setJoined] = useState<Joined | null>(null)
  const enter = useEnter()
  useOtherLink()
  const offered = useQuery({
    queryKey: ['invitation', secret],
    queryFn: ({ signal }) => call(invitationRoutes.offer, { body: { secret }, signal }),
    enabled: secret !== null && joined === null,
    retry: false,
  })
  const goOn = ({ session, organization }: Joined) => {
    noteTokenKept(session.user.uid)
    enter(session, organization.id)
  }
  if (joined) return <JoinedCard {...joined} onGo={() => goOn(joined)} />
  if (secret === null) return <NoInvitation />
  if (offered.error) return <NoInvitation error={offered.error} onRetry={() => void offered.refetch()} />
  if (!offered.data) return null
  const { organization } = offered.data
  const onJoined = (session: Session, token: string | null) => {
    dropInvitationSecret()
    if (token === null) return enter(session, organization.id)
    noteShownToken(session.user.uid)
    setJoined({ session, token, organization })
  }
  return <JoinForm secret={secret} offered={offered.data} onJoined={onJoined} onSpent={() => void offered.refetch()} />
}

/** Lets a new member into the organization that they joined; forgets the browser's data of anyone else. */
function useEnter(): (session: Session, organizationId: number) => void {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  return (session, organizationId) => {
    client.clear()
    client.setQueryData(keyRoots.session, session)
    usePreferences.getState().set({ organizationId })
    navigate('/', { replace: true })
  }
}

/** A link opened in a tab that shows another invitation changes only the end of the address. */
function useOtherLink(): void {
  useEffect(() => {
    const reload = () => location.reload()
    window.addEventListener('hashchange', reload)
    return () => window.removeEventListener('hashchange', reload)
  }, [])
}

/** An invitation that cannot be shown: worth nothing any more, or out of reach for the moment. */
function NoInvitation({ error, onRetry }: { error?: Error; onRetry?: () => void }) {
  const { t } = useTranslation('join')
  const { t: tDoor } = useTranslation('first-run')
  const [, navigate] = useLocation()
  const isSpent = error === undefined || (error instanceof ApiError && (error.status === 404 || error.status === 422))
  const isThrottled = error instanceof ApiError && error.status === 429
  useEffect(() => {
    if (isSpent) dropInvitationSecret()
  }, [isSpent])
  if (isSpent)
    return (
      <Door title={t('spent')}>
        <p className={classes.paragraph}>{t('spentKept')}</p>
        <p className={classes.quiet}>{t('spentTodo')}</p>
        <div className={classes.actions}>
          {/* Leads in where someone is signed in already, and else to the sign-in. */}
          <Button size="sm" variant="default" onClick={() => navigate('/')}>
            {t('signIn')}
          </Button>
        </div>
      </Door>
    )
  return (
    <Door title={t('title')}>
      <ErrorState
        happened={tDoor('noAnswer.happened')}
        kept={tDoor('noAnswer.kept')}
        todo={isThrottled ? t('throttled') : tDoor('noAnswer.todo')}
        onRetry={() => onRetry?.()}
      />
    </Door>
  )
}

/** The token that a new member needs to come back, before they go in. */
function JoinedCard({ organization, token, onGo }: { organization: { readonly name: string }; token: string; onGo: () => void }) {
  const { t } = useTranslation('join')
  return (
    <Door title={t('token.title', { organization: organization.name })}>
      <p className={classes.paragraph}>{t('token.text')}</p>
      <ShownOnce value={token} copyLabel={t('token.copy')} copiedLabel={t('token.copied')} />
      <p className={classes.quiet}>{t('token.once')}</p>
      <div className={classes.actions}>
        <Button size="sm" onClick={onGo}>
          {t('token.go')}
        </Button>
      </div>
    </Door>
  )
}

import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { instanceRoutes, type Session } from '#shared/contract/instance/instance'
import { call } from '../../api/client'
import { goToProvider, onSignInElsewhere, openProvider } from '../../api/doors/openid'
import classes from './door.module.css'
import { useSignInFailure } from './sign-in-failure'

interface OpenIdSignInProps {
  /** What people call the provider. */
  readonly name: string
  /** The origin of the pages at which people sign in there. */
  readonly origin: string
  /** The path to be at afterwards; null: this page stays, and another tab opens. */
  readonly wanted: string | null
  /** Whether the account with which someone just came back was refused: the provider asks which one then. */
  readonly isRetry: boolean
  readonly onSignedIn: (session: Session) => void
}

/** Signing in at the OpenID provider, on its page. */
export function OpenIdSignIn({ name, origin, wanted, isRetry, onSignedIn }: OpenIdSignInProps) {
  const { t } = useTranslation('first-run')
  const failureOf = useSignInFailure()
  const leave = useMutation({ mutationFn: () => (wanted === null ? openProvider() : goToProvider(wanted, { asks_again: isRetry })) })
  const isInOtherTab = wanted === null && leave.isSuccess
  useSignInElsewhere(isInOtherTab, onSignedIn)
  if (origin !== location.origin)
    return (
      <Button component="a" size="sm" autoFocus href={`${origin}/sign-in`}>
        {t('openid.elsewhere', { name, host: new URL(origin).host })}
      </Button>
    )
  return (
    <div className={classes.form}>
      <Button size="sm" data-autofocus autoFocus loading={leave.isPending} onClick={() => leave.mutate()}>
        {t('openid.go', { name })}
      </Button>
      {isInOtherTab && (
        <p className={classes.quiet} role="status">
          {t('openid.otherTab')}
        </p>
      )}
      {leave.error && (
        <p className={classes.failure} role="alert">
          {failureOf(leave.error, 'signIn.failed')}
        </p>
      )}
    </div>
  )
}

/** Hears of the tab in which the person signs in. */
function useSignInElsewhere(isAwaited: boolean, onSignedIn: (session: Session) => void): void {
  useEffect(
    () => (isAwaited ? onSignInElsewhere(() => void call(instanceRoutes.showSession).then(onSignedIn, () => undefined)) : undefined),
    [isAwaited, onSignedIn],
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { findWanted, signInByAnswer } from '../../api/doors/openid'
import { Door } from './door'
import classes from './door.module.css'
import { toOwnPath } from './own-path'
import { useSignInFailure } from './sign-in-failure'
import { SignInForm } from './sign-in-form'
import { keyRoots } from '../../api/keys'

/** Where the OpenID provider sends browsers back to: signs in, or says why not and offers all ways again. */
export function OpenIdReturnScreen() {
  const { t } = useTranslation('first-run')
  const failureOf = useSignInFailure()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [answer] = useState(() => location.search.slice(1))
  const [wanted] = useState(() => toOwnPath(findWanted()))
  const { mutate, error } = useMutation({
    mutationFn: signInByAnswer,
    onSuccess: (session) => {
      client.setQueryData(keyRoots.session, session)
      navigate(wanted, { replace: true })
    },
  })
  useEffect(() => {
    // A reload asks with nothing: the answer is used once, and is in no history.
    history.replaceState(history.state, '', location.pathname)
    if (answer !== '') mutate(answer)
    else navigate('/sign-in', { replace: true })
  }, [answer, mutate, navigate])
  return (
    <Door title={t('signIn.title')}>
      {error ? (
        <>
          <p className={classes.failure} role="alert">
            {failureOf(error, 'signIn.failed')}
          </p>
          <SignInForm
            wanted={wanted}
            isRetry
            onSignedIn={(session) => {
              client.setQueryData(keyRoots.session, session)
              navigate(wanted, { replace: true })
            }}
          />
        </>
      ) : (
        <p className={classes.paragraph} role="status">
          {t('openid.working')}
        </p>
      )}
    </Door>
  )
}

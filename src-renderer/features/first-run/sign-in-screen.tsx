import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import { Door } from './door'
import classes from './door.module.css'
import { toOwnPath } from './own-path'
import { SignInForm } from './sign-in-form'
import { keyRoots } from '../../api/keys'

/** Signing in; afterwards one is where one wanted to go. */
export function SignInScreen() {
  const { t } = useTranslation('first-run')
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const search = new URLSearchParams(useSearch())
  const wanted = toOwnPath(search.get('to') ?? '/')
  return (
    <Door title={t('signIn.title')}>
      {search.has('spent') && (
        <p className={classes.failure} role="alert">
          {t('signIn.spent')}
        </p>
      )}
      <SignInForm
        wanted={wanted}
        onSignedIn={(session) => {
          client.setQueryData(keyRoots.session, session)
          navigate(wanted, { replace: true })
        }}
      />
    </Door>
  )
}

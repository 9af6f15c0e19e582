import { Button, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { instanceRoutes, type Session } from '#shared/contract/instance/instance'
import { call } from '../../api/client'
import classes from './door.module.css'
import { useSignInFailure } from './sign-in-failure'

/** Signing in with an API token: the field, why one was refused, and where to get one. */
export function TokenSignIn({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const { t } = useTranslation('first-run')
  const failureOf = useSignInFailure()
  const [token, setToken] = useState('')
  const signIn = useMutation({
    mutationFn: (given: string) => call(instanceRoutes.signIn, { body: { token: given } }),
    onSuccess: onSignedIn,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = token.trim()
    if (given !== '') signIn.mutate(given)
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <PasswordInput
        size="sm"
        label={t('signIn.token')}
        value={token}
        onChange={(event) => setToken(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
        autoFocus
        required
        withAsterisk={false}
        error={signIn.error ? failureOf(signIn.error, 'signIn.refused') : undefined}
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
      />
      <p className={classes.quiet}>{t('signIn.where')}</p>
      <div className={classes.actions}>
        <Button size="sm" type="submit" loading={signIn.isPending}>
          {t('signIn.go')}
        </Button>
      </div>
    </form>
  )
}

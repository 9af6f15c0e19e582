import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import { PasskeyFailure, signInByPasskey } from '../../api/doors/passkeys'
import classes from './door.module.css'
import { useSignInFailure } from './sign-in-failure'

/** Signing in with a passkey: the browser asks which, and verifies the person. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const { t } = useTranslation('first-run')
  const failureOf = useSignInFailure()
  const signIn = useMutation({ mutationFn: signInByPasskey, onSuccess: onSignedIn })
  const whyNot = (error: Error) => (error instanceof PasskeyFailure ? t('passkey.cancelled') : failureOf(error, 'passkey.refused'))
  return (
    <div className={classes.form}>
      <Button size="sm" variant="default" loading={signIn.isPending} onClick={() => signIn.mutate()}>
        {t('passkey.go')}
      </Button>
      {signIn.error && (
        <p className={classes.failure} role="alert">
          {whyNot(signIn.error)}
        </p>
      )}
    </div>
  )
}

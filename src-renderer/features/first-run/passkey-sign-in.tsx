import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { PasskeyFailure, signInByPasskey } from '../../api/doors/passkeys'
import classes from './door.module.css'
import { signInFailureKey } from './sign-in-failure'

/** Signing in with a passkey: the browser asks which, and verifies the person. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const { t } = useTranslation('first-run')
  const signIn = useMutation({ mutationFn: signInByPasskey, onSuccess: onSignedIn })
  const whyNot = (error: Error) => {
    if (error instanceof PasskeyFailure) return t('passkey.cancelled')
    const isAboutPasskey = error instanceof ApiError && error.status === 422 && error.fields.passkey === undefined
    return isAboutPasskey ? failureText(error) : t(signInFailureKey(error, 'passkey.refused'))
  }
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

import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import { recoveryCodeRoutes } from '#shared/contract/instance/recovery-codes'
import { call } from '../../api/client'
import classes from './door.module.css'
import { useSignInFailure } from './sign-in-failure'

/** Signing in with a recovery code, which is used up. */
export function RecoverySignIn({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const { t } = useTranslation('first-run')
  const failureOf = useSignInFailure()
  const [code, setCode] = useState('')
  const signIn = useMutation({
    mutationFn: (given: string) => call(recoveryCodeRoutes.signIn, { body: { code: given } }),
    onSuccess: onSignedIn,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() !== '') signIn.mutate(code.trim())
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        size="sm"
        label={t('recoveryCode.code')}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        maxLength={40}
        data-autofocus
        autoFocus
        required
        withAsterisk={false}
        error={signIn.error ? failureOf(signIn.error, 'recoveryCode.refused') : undefined}
      />
      <div className={classes.actions}>
        <Button size="sm" type="submit" loading={signIn.isPending}>
          {t('signIn.go')}
        </Button>
      </div>
    </form>
  )
}

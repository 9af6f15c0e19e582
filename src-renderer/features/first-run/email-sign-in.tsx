import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { emailSignInRoutes } from '#shared/contract/instance/email-sign-in'
import type { Session } from '#shared/contract/instance/instance'
import { call } from '../../api/client'
import { usePreferences } from '../../state/preferences'
import classes from './door.module.css'
import { dropSignInSecret, takeSignInSecret } from './entry-code'
import { isRefused, useSignInFailure } from './sign-in-failure'

type Signing = { onSignedIn: (session: Session) => void }

/** Signing in by e-mail: with the link of a message, after a press, or with the code that a message brings. */
export function EmailSignIn({ onSignedIn }: Signing) {
  const [secret] = useState(takeSignInSecret)
  const [isSpent, setSpent] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)
  if (secret !== null && !isSpent) return <LinkForm secret={secret} onSignedIn={onSignedIn} onSpent={() => setSpent(true)} />
  if (sentTo !== null) return <CodeForm email={sentTo} onSignedIn={onSignedIn} onBack={() => setSentTo(null)} />
  return <AddressForm isSpent={isSpent} onSent={setSentTo} />
}

/** Programs that look into mails open links: only a press signs in. */
function LinkForm({ secret, onSignedIn, onSpent }: Signing & { secret: string; onSpent: () => void }) {
  const { t } = useTranslation('first-run')
  const failureOf = useSignInFailure()
  const signIn = useMutation({
    mutationFn: () => call(emailSignInRoutes.redeem, { body: { link: secret } }),
    onSuccess: (session) => {
      dropSignInSecret()
      onSignedIn(session)
    },
    onError: (error) => {
      if (!isRefused(error)) return
      dropSignInSecret()
      onSpent()
    },
  })
  return (
    <div className={classes.form}>
      <p className={classes.paragraph}>{t('emailSignIn.link')}</p>
      {signIn.error && (
        <p className={classes.failure} role="alert">
          {failureOf(signIn.error, 'emailSignIn.wrongLink')}
        </p>
      )}
      <div className={classes.actions}>
        <Button size="sm" loading={signIn.isPending} onClick={() => signIn.mutate()} autoFocus>
          {t('signIn.go')}
        </Button>
      </div>
    </div>
  )
}

function AddressForm({ isSpent, onSent }: { isSpent: boolean; onSent: (email: string) => void }) {
  const { t } = useTranslation('first-run')
  const failureOf = useSignInFailure()
  const locale = usePreferences((state) => state.language)
  const [email, setEmail] = useState('')
  const ask = useMutation({
    mutationFn: (address: string) => call(emailSignInRoutes.ask, { body: { email: address, locale } }),
    onSuccess: (_, address) => onSent(address),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (email.trim() !== '') ask.mutate(email.trim())
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      {isSpent && (
        <p className={classes.failure} role="alert">
          {t('emailSignIn.wrongLink')}
        </p>
      )}
      <TextInput
        size="sm"
        type="email"
        label={t('emailSignIn.email')}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        autoComplete="email"
        data-autofocus
        autoFocus
        required
        withAsterisk={false}
        error={ask.error ? failureOf(ask.error, 'signIn.failed') : undefined}
      />
      <div className={classes.actions}>
        <Button size="sm" type="submit" loading={ask.isPending}>
          {t('emailSignIn.send')}
        </Button>
      </div>
    </form>
  )
}

function CodeForm({ email, onSignedIn, onBack }: Signing & { email: string; onBack: () => void }) {
  const { t } = useTranslation('first-run')
  const failureOf = useSignInFailure()
  const [code, setCode] = useState('')
  const signIn = useMutation({
    mutationFn: (given: string) => call(emailSignInRoutes.redeem, { body: { email, code: given } }),
    onSuccess: onSignedIn,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() !== '') signIn.mutate(code.trim())
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <p className={classes.paragraph} role="status">
        {t('emailSignIn.sent')}
      </p>
      <TextInput
        size="sm"
        label={t('emailSignIn.code')}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        data-autofocus
        autoFocus
        required
        withAsterisk={false}
        error={signIn.error ? failureOf(signIn.error, 'emailSignIn.wrongCode') : undefined}
      />
      <div className={classes.actions}>
        <Button size="sm" type="submit" loading={signIn.isPending}>
          {t('signIn.go')}
        </Button>
        <Button size="sm" variant="default" onClick={onBack}>
          {t('emailSignIn.again')}
        </Button>
      </div>
    </form>
  )
}

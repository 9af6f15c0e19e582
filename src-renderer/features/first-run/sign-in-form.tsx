import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { instanceRoutes, type Session } from '#shared/contract/instance/instance'
import { call } from '../../api/client'
import { passkeysHere } from '../../api/doors/passkeys'
import { EmailSignIn } from './email-sign-in'
import { PasskeySignIn } from './passkey-sign-in'
import { TokenSignIn } from './token-sign-in'

type Way = 'email' | 'token'

/** Signing in: by e-mail where the server offers it, else with an API token; one leads to the other. */
export function SignInForm({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const { t } = useTranslation('first-run')
  const [way, setWay] = useState<Way>('email')
  const { data, isPending } = useQuery({
    queryKey: ['setup'],
    queryFn: ({ signal }) => call(instanceRoutes.showSetup, { signal }),
    retry: false,
  })
  if (isPending) return null
  const hasEmail = data?.email_sign_in === true
  const hasPasskeys = passkeysHere(data?.passkey_origin ?? null) === 'here'
  const other: Way = way === 'email' ? 'token' : 'email'
  return (
    <>
      {hasEmail && way === 'email' ? <EmailSignIn onSignedIn={onSignedIn} /> : <TokenSignIn onSignedIn={onSignedIn} />}
      {hasPasskeys && <PasskeySignIn onSignedIn={onSignedIn} />}
      {hasEmail && (
        <div>
          <Button variant="subtle" size="sm" px={0} onClick={() => setWay(other)}>
            {t(other === 'token' ? 'emailSignIn.withToken' : 'emailSignIn.withEmail')}
          </Button>
        </div>
      )}
    </>
  )
}

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { instanceRoutes, type Session } from '#shared/contract/instance/instance'
import { call } from '../../api/client'
import { passkeysHere } from '../../api/doors/passkeys'
import { EmailSignIn } from './email-sign-in'
import { takeSignInSecret } from './entry-code'
import { OpenIdSignIn } from './openid-sign-in'
import { PasskeySignIn } from './passkey-sign-in'
import { RecoverySignIn } from './recovery-sign-in'
import { TokenSignIn } from './token-sign-in'

const forms = { email: EmailSignIn, token: TokenSignIn, recovery: RecoverySignIn } as const
type Way = keyof typeof forms

/** `wanted`: the path to be at afterwards, if this page may be left for it; null: it stays. */
interface SignInFormProps {
  readonly wanted: string | null
  /** Whether the OpenID provider's account was refused just now. */
  readonly isRetry?: boolean
  readonly onSignedIn: (session: Session) => void
}

/**
 * Signing in: at the OpenID provider where there is one, else by e-mail where the server offers it, else with an API token; the other ways
 * are one press away.
 */
export function SignInForm({ wanted, isRetry = false, onSignedIn }: SignInFormProps) {
  const { t } = useTranslation('first-run')
  const [chosen, setChosen] = useState<Way | null>(null)
  const [hasLink] = useState(() => takeSignInSecret() !== null)
  const { data, isPending } = useQuery({
    queryKey: ['setup'],
    queryFn: ({ signal }) => call(instanceRoutes.showSetup, { signal }),
    retry: false,
  })
  if (isPending) return null
  const offered: readonly Way[] = [
    ...(data?.email_sign_in ? (['email'] as const) : []),
    'token',
    ...(data?.recovery_codes ? (['recovery'] as const) : []),
  ]
  // Where there is a provider, it is the usual way; who comes with the link of a message has chosen another.
  const way = chosen ?? (data?.openid && !hasLink ? null : (offered[0] ?? 'token'))
  const Form = way === null ? null : forms[way]
  return (
    <>
      {data?.openid && <OpenIdSignIn {...data.openid} wanted={wanted} isRetry={isRetry} onSignedIn={onSignedIn} />}
      {Form && <Form onSignedIn={onSignedIn} />}
      {passkeysHere(data?.passkey_origin ?? null) === 'here' && <PasskeySignIn onSignedIn={onSignedIn} />}
      <div>
        {offered
          .filter((one) => one !== way)
          .map((one) => (
            <div key={one}>
              <Button variant="subtle" size="sm" px={0} onClick={() => setChosen(one)}>
                {t(`otherWay.${one}`)}
              </Button>
            </div>
          ))}
      </div>
    </>
  )
}

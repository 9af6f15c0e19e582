import { passkeyRoutes } from '#shared/contract/instance/passkeys'
import type { Session } from '#shared/contract/instance/instance'
import { call } from '../client'

/** Why the browser made or used no passkey: its dialog was closed, or the device has one for this user already. */
export class PasskeyFailure extends Error {
  constructor(readonly kind: 'cancelled' | 'known') {
    super(kind)
  }
}

/** Whether a passkey can be made or used at the address of this page. `origin`: where the server's passkeys work; null: nowhere. */
export function passkeysHere(origin: string | null): 'here' | 'elsewhere' | 'nowhere' | 'no_browser' {
  if (origin === null) return 'nowhere'
  if (origin !== location.origin) return 'elsewhere'
  return 'PublicKeyCredential' in window ? 'here' : 'no_browser'
}

/** Has the browser make a passkey, and adds it to the user's. */
export async function addPasskey(name: string) {
  const optionsJSON = await call(passkeyRoutes.challenge, {})
  const { startRegistration } = await import('@simplewebauthn/browser')
  const passkey = await asking(() => startRegistration({ optionsJSON }))
  return call(passkeyRoutes.create, { body: { name, passkey } })
}

/** Has the browser sign with a passkey of this server and begins a session with that. */
export async function signInByPasskey(): Promise<Session> {
  const optionsJSON = await call(passkeyRoutes.ask, {})
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const passkey = await asking(() => startAuthentication({ optionsJSON }))
  return call(passkeyRoutes.signIn, { body: { passkey } })
}

/** Browsers say little about why there is no passkey, so that pages learn nothing from it. */
async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw new PasskeyFailure(error instanceof Error && error.name === 'InvalidStateError' ? 'known' : 'cancelled')
  }
}

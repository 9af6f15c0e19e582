import { openIdRoutes } from '#shared/contract/instance/openid'
import type { Session } from '#shared/contract/instance/instance'
import { call } from '../client'

const wantedKey = 'outlay.wanted-after-sign-in'
const channelName = 'outlay.signed-in-at-provider'

/** Leaves this page for the provider's; `wanted`: the path to be at afterwards; `asks_again`: the account before was refused. */
export async function goToProvider(wanted: string, { asks_again }: { asks_again: boolean }): Promise<void> {
  const { address } = await call(openIdRoutes.begin, { body: { asks_again } })
  sessionStorage.setItem(wantedKey, wanted)
  location.assign(address)
}

/** Opens the provider's page in another tab, so that this one keeps what is typed in it. Where the browser opens none, this page leaves. */
export async function openProvider(): Promise<void> {
  // Browsers open tabs only right after a press, and the provider may take longer.
  const tab = window.open('about:blank', '_blank')
  if (!tab) return goToProvider(location.pathname + location.search, { asks_again: false })
  // The pages of the provider must not lead this one anywhere.
  tab.opener = null
  try {
    const { address } = await call(openIdRoutes.begin, { body: {} })
    tab.location.replace(address)
  } catch (error) {
    tab.close()
    throw error
  }
}

/** Begins a session with the query with which the provider sent this browser back; tabs that wait for it hear of it. */
export async function signInByAnswer(answer: string): Promise<Session> {
  const session = await call(openIdRoutes.signIn, { body: { answer } })
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(null)
  channel.close()
  return session
}

/** Calls back when another tab has signed in at the provider; returns how to stop. */
export function onSignInElsewhere(heard: () => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = heard
  return () => channel.close()
}

/** The path that was wanted before this tab went to the provider's page. */
export function findWanted(): string {
  return sessionStorage.getItem(wantedKey) ?? '/'
}

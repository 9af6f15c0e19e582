import { useMutation } from '@tanstack/react-query'
import i18next from 'i18next'
import { useState } from 'react'
import { z } from 'zod'
import { type ApiToken, apiTokenRoutes } from '#shared/contract/instance/api-tokens'
import { call } from './api/client'
import { mayLackToken } from './state/shown-token'

const storageKey = 'outlay.sign-out-token'
const storedToken = z.object({ id: z.int(), is_kept: z.boolean() })
const listSize = 100
/** The texts about signing out in every language: the token may have been made in another one. */
const texts = Object.values(import.meta.glob<{ tokenName: string }>('../src-shared/i18n/*/shell.json', { eager: true, import: 'signOut' }))

/** The token that was last made here to sign out with, and whether the person has said that they kept it. */
function readStored(): z.infer<typeof storedToken> | undefined {
  try {
    return storedToken.safeParse(JSON.parse(localStorage.getItem(storageKey) ?? 'null')).data
  } catch {
    return undefined
  }
}

function store(token: z.infer<typeof storedToken>): void {
  localStorage.setItem(storageKey, JSON.stringify(token))
}

/** Revokes the token that was last made here, unless the person has kept it. */
async function dropUnkept(): Promise<void> {
  const stored = readStored()
  if (!stored || stored.is_kept) return
  await call(apiTokenRoutes.destroy, { params: { id: stored.id } }).catch(() => undefined)
  localStorage.removeItem(storageKey)
}

/**
 * Whether the person could not sign in again: signing in takes an API token, and the person who set Outlay up in this browser has
 * none. A token made to sign out with counts once it was kept or used: a reload may come between making and keeping it, even
 * before its response. The same is true of the token of an invitation. False where the server does not respond: the session then does
 * not end either.
 */
export async function hasNoWayBack(user_uid: string): Promise<boolean> {
  const list = await call(apiTokenRoutes.list, { query: { per_page: listSize } }).catch(() => undefined)
  if (!list) return false
  const names = texts.map(({ tokenName }) => tokenName)
  const stored = readStored()
  const isInDoubt = mayLackToken(user_uid)
  const counts = ({ id, description, last_used_at }: ApiToken) =>
    last_used_at !== null || (stored?.id === id ? stored.is_kept : !isInDoubt && !names.includes(description))
  return !list.tokens.some(counts)
}

/** Makes the token that someone needs to sign in again. `drop` revokes one that they have not kept. */
export function useSignOutToken() {
  const [isKept, setKept] = useState(false)
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: async () => {
      await dropUnkept()
      const made = await call(apiTokenRoutes.create, { body: { description: i18next.t('shell:signOut.tokenName') } })
      store({ id: made.id, is_kept: false })
      return made
    },
  })
  const keep = (is_kept: boolean) => {
    if (data) store({ id: data.id, is_kept })
    setKept(is_kept)
  }
  return { token: data?.token ?? null, isKept, isMaking: isPending, failure: error, make: () => mutate(), keep, drop: dropUnkept }
}

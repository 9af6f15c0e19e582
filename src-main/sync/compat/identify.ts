import { v5 } from 'uuid'
import { RemoteError } from '../remote-error'
import type { Transport } from '../remote'
import { PlainApi, readAs } from './plain-api'
import * as shapes from './shapes'

/** Finds the user of a token at a contract-only remote, in the form of a handshake. */
export async function identify(transport: Transport, url: string) {
  const api = new PlainApi(transport)
  const found = await api.find('/preferences')
  if (!found) throw new RemoteError('no_sync', 'No service of this kind answers at the address.', 404)
  const { id, uid, ...own } = readAs(shapes.preferences, found.value, 'preferences')
  const person = await findPerson(api, id)
  const { locale, timezone, mention_name, default_currency } = own
  return {
    kind: 'known' as const,
    turn: null,
    instance_uid: v5(url, v5.URL),
    user: {
      id,
      uid: uid ?? v5(`${url}/users/${id}`, v5.URL),
      first_name: person?.first_name ?? mention_name,
      last_name: person?.last_name ?? '',
      mention_name,
      default_currency,
      locale,
      timezone,
    },
  }
}

/** Every membership of the caller has their name. */
async function findPerson(api: PlainApi, user_id: number): Promise<shapes.PlainPerson | undefined> {
  for await (const { items } of api.pages({ path: '/organizations', name: 'organizations' }))
    for (const raw of items) {
      const { id } = readAs(shapes.organization, raw, 'an organization')
      const found = await api.find(`/organizations/${id}/members/${user_id}`)
      if (found) return readAs(shapes.membership, found.value, 'a membership').user
    }
  return undefined
}

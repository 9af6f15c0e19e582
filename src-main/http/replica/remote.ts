import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import type { Reader } from '#main/store/core/store'
import { countUsers } from '#main/store/records/users/user-reader'
import { findReplicaValue } from '#main/store/sync/replica-state'
import type { Caller } from '../command'
import type { ApiResponse } from '../refusals'

/** Whether a caller may set or remove the remote. It affects all users of an instance, so only a single user may, here or at the desktop. */
export async function mayChangeRemote(reader: Reader, caller: Pick<Caller, 'user_id' | 'way'>): Promise<boolean> {
  const remote = await findReplicaValue(reader, 'remote')
  if (remote?.user_id === caller.user_id || caller.way === 'local') return true
  return remote === undefined && (await countUsers(reader)) <= 1
}

/** The error for a failed connection to a remote, under the attribute to correct. */
export function remoteFailure(failure: string, locale: Language): ApiResponse {
  const attribute = failure === 'unauthorized' ? 'token' : 'url'
  return { status: 422, body: { errors: { [attribute]: [translate(locale, `errors:remote.${failure}`)] } }, headers: {} }
}

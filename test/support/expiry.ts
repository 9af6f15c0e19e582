import { setExpiry } from '#main/use-cases/organizations/organizations'
import type { Instance } from './instance'

/** Makes the organization of an instance read-only, or renews it, as its operator does. */
export async function setExpired(instance: Instance, expired: boolean, organization_id = instance.organization_id): Promise<void> {
  const operator = { user_id: instance.admin.user_id, origin: 'test', request_id: null, if_match: null }
  await instance.app.store.transact(operator, (tx) => setExpiry(tx, organization_id, expired))
}

/** Runs `work` while the organization of an instance is expired. */
export async function whileExpired(instance: Instance, work: () => Promise<void>): Promise<void> {
  await setExpired(instance, true)
  try {
    await work()
  } finally {
    await setExpired(instance, false)
  }
}

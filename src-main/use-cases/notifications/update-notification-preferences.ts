import type { z } from 'zod'
import type { Row } from '#db/schema'
import { type notificationRoutes, switchNames } from '#shared/contract/notifications'
import { notFound } from '#shared/domain/errors'
import { forgetBounces, listSwitchedOff, storeSwitchedOff } from '#main/store/records/users/notification-preferences'
import type { Tx } from '#main/store/core/store'
import { findUser } from '#main/store/records/users/user-reader'
import { assertFresh } from '../access/preconditions'

/** Switches to change; absent ones stay. */
export type UpdateNotificationPreferences = z.output<typeof notificationRoutes.update.body>

/**
 * Changes notification switches of the acting user (contract 4.18). Turning e-mail on again also clears the address's bounce. Throws {@link
 * DomainError}.
 */
export async function updateNotificationPreferences(tx: Tx, changes: UpdateNotificationPreferences): Promise<Row<'users'>> {
  const user = await findUser(tx, tx.actor.user_id)
  if (!user) throw notFound()
  await assertFresh(tx, user)
  const before = await listSwitchedOff(tx, user.id)
  const off = switchNames.filter((name) => !(changes[name] ?? !before.has(name)))
  if (switchNames.some((name) => name.startsWith('email') && changes[name] === true)) await forgetBounces(tx, user.id)
  return storeSwitchedOff(tx, user, { before, off: new Set(off) })
}

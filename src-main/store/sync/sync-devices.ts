import type { Row } from '#db/schema'
import { statement } from '../core/statement'
import type { Reader, Tx } from '../core/store'

type Device = Row<'sync_devices'>

const findRow = statement<{ uid: string }, Device>((db, p) => db.selectFrom('sync_devices').selectAll().where('uid', '=', p('uid')))
const insertRow = statement<Omit<Device, 'id' | 'seq'>, unknown>((db, p) =>
  db
    .insertInto('sync_devices')
    .values({
      uid: p('uid'),
      user_id: p('user_id'),
      name: p('name'),
      turn: p('turn'),
      next_turn: p('next_turn'),
      created_at: p('created_at'),
      last_seen_at: p('last_seen_at'),
    }),
)
const updateTurn = statement<Pick<Device, 'uid' | 'turn' | 'next_turn' | 'name' | 'last_seen_at'>, unknown>((db, p) =>
  db
    .updateTable('sync_devices')
    .where('uid', '=', p('uid'))
    .set({ turn: p('turn'), next_turn: p('next_turn'), name: p('name'), last_seen_at: p('last_seen_at') }),
)

/** A device that has exchanged before. */
export function findDevice(reader: Reader, uid: string): Promise<Device | undefined> {
  return reader.first(findRow, { uid })
}

/** Stores a device's first exchange. */
export async function insertDevice(tx: Tx, device: Pick<Device, 'uid' | 'name' | 'turn' | 'next_turn'>): Promise<void> {
  await tx.run(insertRow, { ...device, user_id: tx.actor.user_id, created_at: tx.now, last_seen_at: tx.now })
}

/** Stores a device's next exchange. */
export async function moveDevice(tx: Tx, device: Pick<Device, 'uid' | 'name' | 'turn' | 'next_turn'>): Promise<void> {
  await tx.run(updateTurn, { ...device, last_seen_at: tx.now })
}

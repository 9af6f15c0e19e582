import type { Settlement } from '#main/store/records/settlements/settlement-tables'
import type { Tx } from '#main/store/core/store'
import { type ChangeSettlement, changeSettlement, getWritableSettlement } from '../settlements/change-settlement'

/** Changes an advancement (contract 4.2). Throws {@link DomainError}. */
export async function updateAdvancement(tx: Tx, id: number, input: ChangeSettlement): Promise<Settlement> {
  const settlement = await getWritableSettlement(tx, 'advancement', { id, action: 'advancements.write' })
  return changeSettlement(tx, 'advancement', { settlement, input })
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Exchange } from '../exchange'
import { fetchReceiptsOf } from './files'

/** How long opening an expense waits for its receipts. */
const waitMs = 3_000

/**
 * Fetches an expense's receipts when a person opens it: in the contract, only the file gives a receipt's hash. Waits only briefly on a slow
 * connection; later receipts appear afterwards.
 */
export function createReceiptsOnDemand(begin: () => Promise<Exchange>, log: Logger): (expense_id: number) => Promise<void> {
  const running = new Map<number, Promise<void>>()
  const fetch = (expense_id: number) =>
    begin()
      .then((exchange) => fetchReceiptsOf(exchange, expense_id))
      .catch((error: unknown) => log.info({ err: error, expense_id }, 'receipts could not be fetched'))
      .finally(() => running.delete(expense_id))
  return async (expense_id) => {
    const coming = running.get(expense_id) ?? fetch(expense_id)
    running.set(expense_id, coming)
    await Promise.race([coming, sleep(waitMs, undefined, { ref: false })])
  }
}

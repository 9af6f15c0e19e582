import { z } from 'zod'
import { fromMinor } from '#shared/domain/money'
import { type LocalExpense, listLocalExpenses } from '#main/store/local-data'
import { insertOffer } from '#main/store/sync-offers'
import type { Tx } from '#main/store/store'

/** What an offered expense is made from at the remote: as `POST /expenses` takes it, with its files and comments. */
export const offeredExpense = z.object({
  body: z.record(z.string(), z.unknown()),
  attachments: z.array(z.object({ sha256: z.string(), file_name: z.string(), description: z.string().nullable() })),
  comments: z.array(z.string()),
})
export type OfferedExpense = z.infer<typeof offeredExpense>

/** Offers the expenses of an instance that gets a remote: a person chooses which of them the remote shall have, and where. */
export async function offerLocalData(tx: Tx): Promise<void> {
  for (const local of await listLocalExpenses(tx))
    await insertOffer(tx, {
      kind: 'expense',
      title: local.expense.description ?? '',
      payload: JSON.stringify(toOffered(local)),
    })
}

function toOffered({ expense, tags, attachments, comments }: LocalExpense): OfferedExpense {
  const { kind, description, occurred_at, latitude, longitude, location, currency } = expense
  const place = {
    distance: expense.distance,
    distance_kind: expense.distance_kind,
    origin: expense.origin,
    destination: expense.destination,
    travel_time: expense.travel_time,
  }
  return {
    body: {
      kind,
      description,
      occurred_at,
      latitude,
      longitude,
      location,
      currency,
      amount: fromMinor(expense.amount_minor, currency),
      tags,
      liquidate_through_advancement: expense.liquidate_through_advancement === 1,
      ...(kind === 'distance' ? place : {}),
    },
    attachments: attachments.map(({ sha256, file_name, description: text }) => ({ sha256, file_name, description: text })),
    comments: [...comments],
  }
}

import { z } from 'zod'
import { exchangeRate } from '#shared/records/exchange-rate'
import { listedBy, recordShape, writableOf } from '../record-attributes'
import { organizationRecordRoutes } from '../record-routes'
import type { ListOptions } from '../route'

/** A sheet of exchange rates (extension of the contract). */
export const exchangeRateRepresentation = z.object(recordShape(exchangeRate)).meta({ id: 'ExchangeRate' })

const rateListOptions = { order: 'created_at', attributes: listedBy(exchangeRate.attributes) } as const satisfies ListOptions

/** The endpoints of exchange rates. */
export const exchangeRateRoutes = organizationRecordRoutes({
  table: exchangeRate.table,
  one: 'a sheet of exchange rates',
  many: 'sheets of exchange rates',
  attributes: writableOf(exchangeRate.attributes),
  representation: exchangeRateRepresentation,
  list: rateListOptions,
  actions: { list: 'exchange_rates.list', show: 'exchange_rates.list', write: 'exchange_rates.write' },
})

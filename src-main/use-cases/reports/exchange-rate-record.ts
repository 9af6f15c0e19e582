import type { z } from 'zod'
import type { exchangeRateRoutes } from '#shared/contract/organization-records/exchange-rates'
import { invalid } from '#shared/domain/errors'
import { currencyOfSource, readRates } from '#shared/domain/reports/rate-sheets'
import { newColumns, toColumns } from '#shared/records/columns'
import { exchangeRate } from '#shared/records/exchange-rate'
import { insertOrganizationRecord, updateOrganizationRecord } from '#main/store/records/organizations/organization-records'
import { type OrganizationRecord, plainOrganizationRecord } from '../organization-records/plain-organization-record'

/** Sheets of exchange rates: valid lines, in the publisher's currency. */
export const exchangeRateRecord: OrganizationRecord<'exchange_rates', z.output<typeof exchangeRateRoutes.create.body>> = {
  ...plainOrganizationRecord(exchangeRate, 'exchange_rates.write'),
  assertValid: (_tx, { row, input }) => {
    const { source, currency, rates } = { ...row, ...input }
    if (source === undefined || currency === undefined || rates === undefined) return Promise.resolve()
    if (source !== 'hand' && currency !== currencyOfSource[source]) throw invalid('currency', 'invalid')
    if (readRates(source, rates).kind === 'wrong') throw invalid('rates', 'invalid')
    return Promise.resolve()
  },
  insert: (tx, organization_id, input) =>
    insertOrganizationRecord(tx, exchangeRate, {
      ...newColumns(exchangeRate.attributes, input),
      currency: input.currency,
      organization_id,
    }),
  update: (tx, row, input) => {
    const { currency } = { ...row, ...input }
    return updateOrganizationRecord(tx, exchangeRate, { row, changes: { ...toColumns(exchangeRate.attributes, input), currency } })
  },
}

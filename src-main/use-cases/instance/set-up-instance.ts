import type { z } from 'zod'
import type { instanceRoutes } from '#shared/contract/instance/instance'
import { type FieldErrors, DomainError } from '#shared/domain/errors'
import { defaultLanguage } from '#shared/domain/locales'
import type { Tx } from '#main/store/core/store'
import { assertCurrencyInUse } from '../access/amounts'
import { foundOrganization } from '../organizations/organizations'

/** The input of the first person at a new instance: their organization and themselves. */
export type SetUpInstance = z.output<typeof instanceRoutes.setUp.body>

/** Creates the first organization and its admin. Throws {@link DomainError} `invalid` for missing values. */
export async function setUpInstance(tx: Tx, input: SetUpInstance): Promise<{ user_id: number; organization_id: number }> {
  const { organization, name, email, currency = 'BRL', locale = defaultLanguage } = input
  if (organization === undefined || name === undefined || email === undefined) {
    const missing = Object.entries({ organization, name, email }).filter(([, value]) => value === undefined)
    const fields: FieldErrors = Object.fromEntries(missing.map(([attribute]) => [attribute, [{ code: 'blank' }]]))
    throw new DomainError({ kind: 'invalid', fields })
  }
  assertCurrencyInUse(currency)
  const admin = { name, email, default_currency: currency, locale, timezone: 'Etc/UTC' }
  const founded = await foundOrganization(tx, { organization, admin })
  return { user_id: founded.user.id, organization_id: founded.organization.id }
}

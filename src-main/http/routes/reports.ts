import { exchangeRateRoutes } from '#shared/contract/organization-records/exchange-rates'
import { type ReportPanel, reportRoutes } from '#shared/contract/reports/reports'
import { toInstant } from '#shared/domain/dates'
import type { ReportDimension } from '#shared/domain/reports/reports'
import { translate } from '#shared/i18n/translations'
import { exchangeRate } from '#shared/records/exchange-rate'
import { listSeenCardNames } from '#main/store/records/organizations/corporative-cards'
import { listPolicyNames } from '#main/store/records/organizations/policy-reader'
import { listUsersByIds } from '#main/store/records/users/user-reader'
import { exchangeRateRecord } from '#main/use-cases/reports/exchange-rate-record'
import { reportTimes } from '#main/use-cases/reports/report-times'
import { reportSpending } from '#main/use-cases/reports/spending-report'
import { type Context, type Endpoint, query } from '../endpoint'
import { nameOf } from '../representations/people'
import { toOrganizationRecord } from '../representations/records'
import { organizationRecordEndpoints } from './organization-records'

const usualLimit = 100

/** Labels of groups whose keys are ids or codes; other keys are their own labels. */
async function labelsOf({ reader, caller, locale }: Context, group_by: ReportDimension, panels: readonly ReportPanel[]) {
  const keys = panels.flatMap(({ groups }) => groups.map(({ key }) => key))
  const ids = [...new Set(keys)].filter((key) => typeof key === 'number')
  const words = new Map(keys.flatMap((key) => (typeof key === 'string' ? [[key, key] as const] : [])))
  switch (group_by) {
    // Their labels are the names in the report.
    case 'supplier':
      return new Map<string, string>()
    case 'receiver':
      return new Map((await listUsersByIds(reader, ids)).map((user) => [user.id, nameOf(user)]))
    case 'card':
      return listSeenCardNames(reader, ids, caller.user_id)
    case 'policy':
      return listPolicyNames(reader, ids)
    case 'status':
      return new Map([...words.keys()].map((key) => [key, translate(locale, `status:${key}`)]))
    case 'flag':
      return new Map([...words.keys()].map((key) => [key, translate(locale, `policies:condition.${key}`)]))
    default:
      return words
  }
}

/** Reports on the expenses of a list, and the exchange rates that they use (extension of the contract). */
export const reportEndpoints: Endpoint[] = [
  ...organizationRecordEndpoints({
    routes: exchangeRateRoutes,
    record: exchangeRateRecord,
    show: (_context, _role, rows) => rows.map((row) => toOrganizationRecord(exchangeRate, row)),
  }),
  query(reportRoutes.spending, async (context, { list: { filter }, query: { group_by, by_month, convert_to, limit } }) => {
    const { reader, caller, deps } = context
    const report = await reportSpending(reader, caller.user_id, {
      filter,
      group_by,
      convert_to,
      limit: limit ?? usualLimit,
      by_month: by_month === '1',
      today: toInstant(deps.clock.now()).slice(0, 10),
    })
    const labels: ReadonlyMap<string | number, string> = await labelsOf(context, group_by, report.panels)
    const labelled = report.panels.map((panel) => ({
      ...panel,
      groups: panel.groups.map((group) => ({ ...group, label: group.key === null ? null : (labels.get(group.key) ?? group.label) })),
    }))
    return { body: { ...report, panels: labelled } }
  }),
  query(reportRoutes.times, async ({ reader, caller }, { list: { filter } }) => ({
    body: await reportTimes(reader, caller.user_id, filter),
  })),
]

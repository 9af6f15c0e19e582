import { z } from 'zod'
import { isCurrency } from '#shared/domain/currencies'
import { rateSources } from '#shared/domain/reports/rate-sheets'
import { reportDimensions } from '#shared/domain/reports/reports'
import { expenseListOptions } from '../expenses'
import { listQuery, nothing, pageNumber } from '../requests'
import { route } from '../route'

/** How many expenses, and what they count for, in minor units of the panel's currency. */
const sum = z.object({ count: z.int(), amount_minor: z.int() })
export type ReportSum = z.infer<typeof sum>

const period = z.object({ from: z.string(), until: z.string() })

/** Expenses that have something in common. `key` is null for those that have none of what is grouped by. */
export const reportGroup = sum.extend({
  /** A month `YYYY-MM`, a tag by name, a supplier by its tax number without punctuation or else its name, an id, a status, a currency, a condition, or the number of a group of ages. */
  key: z.union([z.string(), z.int()]).nullable(),
  label: z.string().nullable(),
  /** The same in the period before; null where there is none. */
  previous: sum.nullable(),
  /** The same by month; empty unless asked for. */
  months: z.array(sum.extend({ month: z.string() })),
})
export type ReportGroup = z.infer<typeof reportGroup>

/** The expenses that count for an amount in one currency, or whose amounts are converted into it: `currencies` names what they were in. */
export const reportPanel = sum.extend({
  currency: z.string(),
  currencies: z.array(z.string()),
  previous: sum.nullable(),
  groups: z.array(reportGroup),
  /** What the smallest groups come to that were left out. */
  others: sum.extend({ groups: z.int() }).nullable(),
})
export type ReportPanel = z.infer<typeof reportPanel>

/** A rate by which amounts were converted: one unit of `currency` was so much on this day, the last one with a rate before theirs. */
export const usedRate = z.object({ currency: z.string(), day: z.string(), rate: z.string(), source: z.enum(rateSources) })
export type UsedRate = z.infer<typeof usedRate>

/** What expenses come to, each currency apart. */
export const spendingReport = z
  .object({
    /** The dates that the filter names; null where it has no beginning or no end. */
    period: period.nullable(),
    /** The period of the same length before. */
    previous: period.nullable(),
    panels: z.array(reportPanel),
    rates: z.array(usedRate),
    /** Currencies that stay apart, and the first day for which there is no rate. */
    unconverted: z.array(z.object({ currency: z.string(), day: z.string() })),
  })
  .meta({ id: 'SpendingReport' })
export type SpendingReport = z.infer<typeof spendingReport>

/** The steps that are timed: from being recorded to approval, from approval to settlement, and both. */
export const timedSteps = ['approval', 'settlement', 'whole'] as const

const times = z.object({ count: z.int(), median_s: z.int().nullable(), p90_s: z.int().nullable() })

/** How long a step takes, in seconds: half of the expenses take at most `median_s`, nine of ten `p90_s`; and in the period before, if there is one. */
export const timesReport = z
  .object({ previous: period.nullable(), steps: z.array(times.extend({ step: z.enum(timedSteps), previous: times.nullable() })) })
  .meta({ id: 'TimesReport' })
export type TimesReport = z.infer<typeof timesReport>

const filtered = z.object({ q: listQuery.shape.q })
const read = { method: 'GET', action: 'expenses.read', params: nothing, body: nothing, status: 200, list: expenseListOptions } as const

/** Reports on the expenses that the caller may see, by the filters of their list (extension). */
export const reportRoutes = {
  spending: route({
    ...read,
    name: 'reports.spending',
    path: '/reports/spending',
    summary: 'Add up expenses by what they have in common, each currency apart, next to the period before',
    query: filtered.extend({
      group_by: z.enum(reportDimensions, 'inclusion'),
      /** Also split each group by month. */
      by_month: z.enum(['0', '1'], 'inclusion').optional(),
      /** Convert into this currency, by the rates of the organization that `q[payer_id_eq]` names. */
      convert_to: z.string('invalid').refine(isCurrency, 'invalid').optional(),
      /** At most so many groups in each panel; 100 where nothing is said. */
      limit: pageNumber.optional(),
    }),
    response: spendingReport,
  }),
  times: route({
    ...read,
    name: 'reports.times',
    path: '/reports/times',
    summary: 'Tell how long expenses take from being recorded to approval and settlement',
    query: filtered,
    response: timesReport,
  }),
}

import { z } from 'zod'
import { isCurrency } from '#shared/domain/currencies'
import { rateSources } from '#shared/domain/reports/rate-sheets'
import { reportDimensions } from '#shared/domain/reports/reports'
import { expenseListOptions } from '../expenses'
import { listQuery, nothing, pageNumber } from '../requests'
import { route } from '../route'

/** The number of expenses, and their counted amount in minor units of the panel's currency. */
const sum = z.object({ count: z.int(), amount_minor: z.int() })
export type ReportSum = z.infer<typeof sum>

const period = z.object({ from: z.string(), until: z.string() })

/** Expenses with a common key; null for those without one. */
export const reportGroup = sum.extend({
  /**
   * A month `YYYY-MM`, a tag's name, a supplier's tax number without punctuation or otherwise its name, an id, a status, a currency, a condition, or
   * the number of an age group.
   */
  key: z.union([z.string(), z.int()]).nullable(),
  label: z.string().nullable(),
  /** The sum of the previous period; null if there is none. */
  previous: sum.nullable(),
  /** The sums by month; empty unless requested. */
  months: z.array(sum.extend({ month: z.string() })),
})
export type ReportGroup = z.infer<typeof reportGroup>

/** Expenses whose counted amount is in one currency, or is converted into it: `currencies` names the original ones. */
export const reportPanel = sum.extend({
  currency: z.string(),
  currencies: z.array(z.string()),
  previous: sum.nullable(),
  groups: z.array(reportGroup),
  /** The total of the smallest groups, which are left out. */
  others: sum.extend({ groups: z.int() }).nullable(),
})
export type ReportPanel = z.infer<typeof reportPanel>

/** A rate used for conversion: one unit of `currency` on this day, the last one with a rate before the expenses' day. */
export const usedRate = z.object({ currency: z.string(), day: z.string(), rate: z.string(), source: z.enum(rateSources) })
export type UsedRate = z.infer<typeof usedRate>

/** Sums of expenses, by currency. */
export const spendingReport = z
  .object({
    /** The period in the filter; null without a beginning or end. */
    period: period.nullable(),
    /** The preceding period of the same length. */
    previous: period.nullable(),
    panels: z.array(reportPanel),
    rates: z.array(usedRate),
    /** Currencies that are not converted, and the first day without a rate. */
    unconverted: z.array(z.object({ currency: z.string(), day: z.string() })),
  })
  .meta({ id: 'SpendingReport' })
export type SpendingReport = z.infer<typeof spendingReport>

/** The timed steps: from recording to approval, from approval to settlement, and both. */
export const timedSteps = ['approval', 'settlement', 'whole'] as const

const times = z.object({ count: z.int(), median_s: z.int().nullable(), p90_s: z.int().nullable() })

/**
 * How long a step takes, in seconds: half of the expenses take at most `median_s`, nine in ten `p90_s`; also for the previous period, if there is
 * one.
 */
export const timesReport = z
  .object({ previous: period.nullable(), steps: z.array(times.extend({ step: z.enum(timedSteps), previous: times.nullable() })) })
  .meta({ id: 'TimesReport' })
export type TimesReport = z.infer<typeof timesReport>

const filtered = z.object({ q: listQuery.shape.q })
const read = { method: 'GET', action: 'expenses.read', params: nothing, body: nothing, status: 200, list: expenseListOptions } as const

/** Reports on the expenses that the caller may see, with their list's filters (extension). */
export const reportRoutes = {
  spending: route({
    ...read,
    name: 'reports.spending',
    path: '/reports/spending',
    summary: 'Add up expenses by what they have in common, each currency apart, next to the period before',
    query: filtered.extend({
      group_by: z.enum(reportDimensions, 'inclusion'),
      /** Also divide each group by month. */
      by_month: z.enum(['0', '1'], 'inclusion').optional(),
      /** Convert into this currency, with the rates of the organization in `q[payer_id_eq]`. */
      convert_to: z.string('invalid').refine(isCurrency, 'invalid').optional(),
      /** The most groups in each panel; 100 by default. */
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

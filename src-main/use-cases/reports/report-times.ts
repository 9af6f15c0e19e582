import type { ListFilter } from '#shared/contract/filters'
import { type TimesReport, timedSteps } from '#shared/contract/reports/reports'
import { type StepTimes, readTimes } from '#main/store/records/expenses/report-reader'
import type { Reader } from '#main/store/core/store'
import { comparedWith } from './spending-report'

const none = { count: 0, median_s: null, p90_s: null }

/** How long expenses take that a user may see and that match a filter, compared with the previous period. */
export async function reportTimes(reader: Reader, user_id: number, filter: ListFilter): Promise<TimesReport> {
  const { previous, filters } = comparedWith(filter)
  const [now = [], before] = await readTimes(reader, user_id, filters)
  const timesOf = (times: readonly StepTimes[], step: StepTimes['step']) => {
    const { count, median_s, p90_s } = times.find((known) => known.step === step) ?? none
    return { count, median_s, p90_s }
  }
  const steps = timedSteps.map((step) => ({ step, ...timesOf(now, step), previous: before ? timesOf(before, step) : null }))
  return { previous: previous ?? null, steps }
}

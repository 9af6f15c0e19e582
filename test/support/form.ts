/** Whether tests run at full size: `npm run test:long`. */
export const isLong = process.env.OUTLAY_TEST_LONG === '1'

/**
 * As many (kills, seeds, sizes, languages) as the form that runs needs: a small case of each in `npm test`, the full size in `npm run test:long`.
 */
export function inForm<T>(short: T, long: T): T {
  return isLong ? long : short
}

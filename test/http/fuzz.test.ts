import { expect, test } from 'vitest'
import { inForm } from '#test/support/form'
import { instanceOfFile } from '#test/support/of-file'
import { fuzz } from '#test/fuzz/fuzz'

/** Some 5 or 17 for each operation, since most need what another has made; `npm run fuzz` sends more, and others. */
const requests = Number(process.env.FUZZ_REQUESTS ?? inForm(1_500, 5_000))
/** Of 5,000 more than half of the operations succeed once with it; with about half of all seeds it is a little less. */
const seed = Number(process.env.FUZZ_SEED ?? 20_260_110)
const instance = await instanceOfFile({ settings: { OUTLAY_LOGIN_THROTTLE: 1_000_000 } })

test(
  `${requests} requests that fit the description, or do not, get no failure and no response outside it (seed ${seed})`,
  async () => {
    const { sent, findings, statuses } = await fuzz(instance, { requests, seed })
    expect(sent).toBe(requests)
    expect(findings.slice(0, 5)).toEqual([])
    const succeeded = [...statuses].filter(([, counts]) => [...counts.keys()].some((status) => status < 300))
    expect(succeeded.length / statuses.size).toBeGreaterThan(requests < 5_000 ? 0.35 : 0.5)
  },
  30_000 + requests * 20,
)

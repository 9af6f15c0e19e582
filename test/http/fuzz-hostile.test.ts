import { expect, test } from 'vitest'
import { instanceOfFile } from '#test/support/of-file'
import { sendHostile } from '#test/fuzz/hostile'
import { recordExpense } from '#test/support/expenses'
import { inForm } from '#test/support/form'

/** `npm run fuzz -- --hostile` sends more, and others. */
const requests = Number(process.env.FUZZ_HOSTILE_REQUESTS ?? inForm(1_000, 4_000))
const seed = Number(process.env.FUZZ_SEED ?? 20_260_105)
const instance = await instanceOfFile({ settings: { OUTLAY_LOGIN_THROTTLE: 1_000 } })
for (let made = 0; made < 3; made += 1) await recordExpense(instance, instance.member)

test(
  `${requests} requests with what programs trip over, in every place of every route, get no failure (seed ${seed})`,
  async () => {
    const { sent, failures, statuses } = await sendHostile(instance, { requests, seed })
    if (process.env.FUZZ_HOSTILE_REQUESTS) process.stderr.write(`${JSON.stringify([...statuses].sort())}\n`)
    expect(failures.slice(0, 5)).toEqual([])
    expect(sent).toBe(requests)
    // What is only ever refused proves little.
    expect(statuses.get(200)).toBeGreaterThan(0)
    expect(statuses.get(201)).toBeGreaterThan(0)
  },
  30_000 + requests * 20,
)

// `npm run fuzz [-- REQUESTS [SEED]]`: sends many requests, by the OpenAPI description, to a real server and checks each response
// against it. Sends 100,000 by default; prints the seed, so that a run can be repeated. With `--hostile` first, the requests contain
// values that programs trip over (attributes called `length`, `then` or `__proto__`), and no response may be a failure.
import { SetupError, bin, ensureDependencies, fail, node24, projectEnv, run, say } from './setup.mjs'

try {
  const isHostile = process.argv[2] === '--hostile'
  const [requests = '100000', seed = String(Date.now() % 1_000_000_000)] = process.argv.slice(isHostile ? 3 : 2)
  if (!/^\d+$/.test(requests) || !/^\d+$/.test(seed)) throw new SetupError('npm run fuzz -- [--hostile] REQUESTS SEED, both whole numbers.')
  await ensureDependencies()
  say(`${requests} requests, seed ${seed}`)
  Object.assign(process.env, projectEnv({ [isHostile ? 'FUZZ_HOSTILE_REQUESTS' : 'FUZZ_REQUESTS']: requests, FUZZ_SEED: seed }))
  process.exitCode = await run(node24(), [bin('vitest', 'vitest.mjs'), 'run', `test/http/${isHostile ? 'fuzz-hostile' : 'fuzz'}.test.ts`])
} catch (error) {
  fail(error)
}

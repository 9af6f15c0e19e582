// `npm run torture -- kills|cuts|power|captures|desktop|snapshots|starts|restores|bits|seals|handovers|page|mail|postgres|replicas [COUNT]`: the long forms of the tests of replicas
// under kills, cut lines and power cuts, and of captures, the server, the desktop, snapshots and recoveries under kills. Their results are in
// docs/reliability.md. Default counts: kills: a thousand; cuts: after every byte, both ways; power: after every sync; captures, desktop: a
// hundred kills; snapshots: fifty; starts, restores, seals, handovers: after every change of the disk, or after COUNT of each run; bits: three hundred flips;
// page, a browser's page and its network: a thousand; postgres, of the server and of PostgreSQL: two hundred; replicas: a thousand of them for 600 s, or COUNT.
import { SetupError, bin, ensureBuild, ensureDependencies, fail, node24, projectEnv, run, say } from './setup.mjs'

const tests = {
  kills: 'test/sync/sync-kill.test.ts',
  cuts: 'test/sync/faulty-network.test.ts',
  power: 'test/sync/power-cut.test.ts',
  captures: 'test/captures/capture-kill.test.ts',
  desktop: 'capture-kill',
  snapshots: 'test/snapshots/snapshot-kill.test.ts',
  starts: 'test/store/migration-kill.test.ts',
  restores: 'test/cli/restore-kill.test.ts',
  bits: 'test/cli/bit-rot.test.ts',
  seals: 'test/audit/seal-kill.test.ts',
  handovers: 'test/http/exports/handover-kill.test.ts',
  mail: 'test/jobs/fetch-mail-kill.test.ts',
  page: 'page-kill',
  postgres: 'test/postgres/kills.test.ts',
  replicas: 'test/postgres/replica-load.test.ts',
}

try {
  const [kind = 'kills', count = ''] = process.argv.slice(2)
  if (!(kind in tests) || !/^\d*$/.test(count))
    throw new SetupError(
      'npm run torture -- kills|cuts|power|captures|desktop|snapshots|starts|restores|bits|seals|handovers|page|mail|postgres|replicas [COUNT]',
    )
  await ensureDependencies()
  await ensureBuild()
  say(`${kind}: this takes from minutes to an hour.`)
  Object.assign(process.env, projectEnv({ TORTURE: kind, ...(count === '' ? {} : { TORTURE_COUNT: count }) }))
  const runner =
    kind === 'desktop' || kind === 'page'
      ? [bin('@playwright/test', 'cli.js'), 'test', `--project=${kind === 'page' ? 'browser' : kind}`, tests[kind]]
      : [bin('vitest', 'vitest.mjs'), 'run', tests[kind]]
  process.exitCode = await run(node24(), runner)
} catch (error) {
  fail(error)
}

import { parseArgs } from 'node:util'
import { type Outcome, shrink, simulate } from './simulate'
import { drain, removeFolders } from './store-pool'
import { makeTemplate } from './template'

/** One worker: every `step`-th seed from `first` on, below `end`. Prints what failed; ends with 1 where something did. */
const { values } = parseArgs({
  options: {
    first: { type: 'string', default: '1' },
    end: { type: 'string', default: '101' },
    step: { type: 'string', default: '1' },
    failures: { type: 'string', default: '5' },
    verbose: { type: 'boolean', default: false },
    plain: { type: 'boolean', default: false },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)

function report({ history, violations, log }: Outcome): void {
  say(`seed ${history.seed}: ${history.seats.map(({ person, device }) => `${person}${device}`).join(' ')}, stride ${history.stride}`)
  for (const [index, line] of log.entries()) say(`  ${index + 1}. ${line.slice(0, 400)}`)
  say(`  = ${JSON.stringify(history)}`)
  for (const line of violations.slice(0, 8)) say(`  ! ${line.slice(0, 1200)}`)
}

// Whoever has seen enough ends this process; what it has in memory as files would stay.
process.once('SIGTERM', () => {
  removeFolders()
  process.exit(1)
})
const template = await makeTemplate()
let failures = 0
let count = 0
try {
  for (let seed = Number(values.first); seed < Number(values.end); seed += Number(values.step)) {
    const outcome = await simulate(template, seed)
    count += 1
    if (values.verbose) report(outcome)
    if (outcome.violations.length === 0) continue
    failures += 1
    if (values.plain) say(`seed ${seed}: ${outcome.violations[0]?.slice(0, 300)}`)
    else report(await shrink(template, outcome))
    if (failures >= Number(values.failures)) break
  }
} finally {
  await drain()
}
say(JSON.stringify({ count, failures }))
process.exitCode = failures > 0 ? 1 : 0

import { select } from './rows'
import { exchange } from './perform'
import { mended } from './site'
import type { World } from './world'
import type { Seat } from './seat'

/** So many exchanges of each replica are enough for everything to end. */
export const maxRounds = 14
const waitingStates = `('pending', 'sent', 'acknowledged')`

/** Lets everything that is on its way arrive or be lost, and everybody exchange without faults until nothing moves. Says what stays. */
export async function heal(world: World): Promise<string[]> {
  world.remote.kill = undefined
  for (const { site, wire } of world.seats) {
    wire.begin([])
    site.kill = undefined
    await wire.deliverHeld()
  }
  let report: string[] = []
  for (let round = 0; round < maxRounds; round += 1) {
    const before = await endOf(world)
    report = []
    for (const seat of world.seats) report.push(...(await healOne(world, seat)))
    // A copy made in the middle of a handshake is noticed one exchange later (SPEC.md, "Devices").
    const isNoticed = round > 0 || !world.ledger.hasUpheaval
    if (isNoticed && report.length === 0 && before === (await endOf(world))) return []
  }
  return report.length > 0 ? report : ['it never comes to rest']
}

async function healOne(world: World, seat: Seat): Promise<string[]> {
  const ended = await exchange(seat)
  await world.ledger.note(seat)
  world.ledger.violations.push(...mended.splice(0).map((line) => `had to be mended: ${line}`))
  const [stop] = await select(seat.site, `SELECT value FROM sync_state WHERE key = 'stop'`)
  if (stop && String(stop.value).includes('"guard"')) await seat.site.parts.replica.decide(world.history.seed % 2 === 0 ? 'allow' : 'keep')
  const waiting = await select(
    seat.site,
    `SELECT op_id, state, method, path, attempts, last_answer FROM sync_journal WHERE state IN ${waitingStates}`,
  )
  const problems = waiting.map((row) => `${seat.name} waits: ${JSON.stringify(row)}`)
  if (ended !== 'synced') problems.push(`${seat.name} ends ${ended}`)
  return problems
}

/** Where the remote's history ends, and where everybody is in it. */
async function endOf(world: World): Promise<string> {
  const [end] = await select(world.remote, 'SELECT max(seq) AS seq FROM change_log')
  const places: string[] = []
  for (const { site } of world.seats) {
    const [pulled] = await select(site, `SELECT value FROM sync_state WHERE key = 'pulled'`)
    places.push(String(pulled?.value))
  }
  return JSON.stringify([end, places])
}

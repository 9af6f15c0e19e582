import { dropLeases } from '#main/store/sync/id-leases'
import { insertMembership } from '#main/store/records/organizations/organization-writer'
import { beginEpoch } from '#main/store/core/instance-settings'
import { roles } from '#shared/domain/roles'
import { type Step, drawFaults } from './history'
import { type Wish, wish } from './people'
import { Random } from './random'
import { select } from './rows'
import { Killed, type Site, mended } from './site'
import { lookAt, watchSeat } from './watch'
import type { World } from './world'
import type { Seat } from './seat'

type Perform = (world: World, seat: Seat, random: Random) => Promise<string>

/** Carries out one step and says what came of it. */
export async function perform(world: World, step: Step): Promise<void> {
  const seat = world.seats[step.seat % world.seats.length]
  if (!seat) return
  if (upheavals.has(step.kind)) world.ledger.hasUpheaval = true
  const before = await lookAt(seat)
  const said = await performers[step.kind](world, seat, new Random(step.seed))
  for (const one of world.seats) {
    if (one.site.isDead) await one.site.restart()
    await world.ledger.note(one)
  }
  // What was written in the moment of the kill, or again by a decision, was written all the same.
  if (step.kind === 'killed write' || step.kind === 'resolve') await world.ledger.noteMoney(seat.site, 'all')
  // Whoever deletes much, or puts back a folder, or decides, is a person.
  if (!byPeople.has(step.kind)) world.ledger.violations.push(...(await watchSeat(world, seat, before)))
  await world.ledger.settle()
  world.ledger.violations.push(...mended.splice(0).map((line) => `had to be mended: ${line}`))
  world.log.push(`${step.kind} at ${seat.name}: ${said}`)
}

const upheavals = new Set<Step['kind']>(['role', 'restore replica', 'restore remote', 'clone'])
const byPeople = new Set<Step['kind']>(['restore replica', 'decide', 'purge'])

/** A write by the person of a seat: what they saw is remembered beside it. */
async function write(world: World, seat: Seat, random: Random): Promise<string> {
  const { site, person } = seat
  const seen = await world.ledger.seenAt(site)
  const asked = await wish({ site, user_id: person.user_id, random, organization_ids: world.template.organization_ids }).catch(ignoreKilled)
  if (!asked) return 'nothing to do'
  const { status, body } = await site.call({ user_id: person.user_id, ...asked })
  if (site.isDead) return `${asked.method} ${asked.path}: killed`
  for (const op_id of await world.ledger.note(seat)) world.ledger.decisions.set(op_id, { seat: seat.name, path: asked.path, seen })
  await noteMoney(world, site, { wish: asked, made: body })
  return `${asked.method} ${asked.path} ${JSON.stringify(asked.body ?? null)}: ${status}`
}

/** Lets a seat exchange, and says how that ended. */
export async function exchange(seat: Seat): Promise<string> {
  try {
    const { ended } = await seat.site.parts.replica.sync()
    return `${ended.kind}${ended.error === null ? '' : ` (${ended.error})`}`
  } catch (error) {
    if (error instanceof Killed || seat.site.isDead) return 'killed'
    throw error
  }
}

/** Makes more expenses than the guard lets go, and lets everybody exchange; answers their ids. */
async function makeMany(world: World, site: Site, user_id: number): Promise<unknown[]> {
  const [organization_id] = world.template.organization_ids
  const ids: unknown[] = []
  for (let count = 0; count < 25; count += 1) {
    const body = { payer: { id: organization_id, type: 'Organization' }, amount: 1, occurred_at: '2026-03-01' }
    const made = await site.call({ user_id, method: 'POST', path: '/expenses', body })
    if (typeof made.body === 'object' && made.body !== null && 'id' in made.body) ids.push(made.body.id)
  }
  await world.ledger.noteMoney(site, 'all')
  for (const seat of world.seats) {
    await exchange(seat)
    await world.ledger.note(seat)
  }
  return ids
}

/** Remembers what someone wrote of an amount: of a new expense, or of one that was changed. */
async function noteMoney({ ledger }: World, site: Site, { wish: { path, body }, made }: { wish: Wish; made: unknown }): Promise<void> {
  const isMoney = typeof body === 'object' && body !== null && ('amount' in body || 'currency' in body)
  const isExpense = /^\/expenses(\/-?\d+)?$/.test(path)
  if (isMoney && isExpense && typeof made === 'object' && made !== null && 'id' in made) await ledger.noteMoney(site, Number(made.id))
}

function ignoreKilled(error: unknown): undefined {
  if (!(error instanceof Killed)) throw error
}

const performers: Readonly<Record<Step['kind'], Perform>> = {
  local: write,
  central: async (world, _seat, random) => {
    const { user_id, name } = random.pick(world.template.people)
    const { remote } = world
    const asked = await wish({ site: remote, user_id, random, organization_ids: world.template.organization_ids })
    if (!asked) return 'nothing to do'
    const { status, body } = await remote.call({ user_id, ...asked })
    await noteMoney(world, remote, { wish: asked, made: body })
    return `${name}: ${asked.method} ${asked.path} ${JSON.stringify(asked.body ?? null)}: ${status}`
  },
  sync: async (_world, seat) => {
    seat.wire.begin([])
    return exchange(seat)
  },
  'bad sync': async (_world, seat, random) => {
    const faults = drawFaults(random)
    seat.wire.begin(faults)
    const ended = await exchange(seat)
    seat.wire.begin([])
    return `${faults.map(({ at, kind }) => `${kind} ${at}`).join(', ')}: ${ended}`
  },
  'killed sync': async (_world, seat, random) => {
    const kill = { after: random.int(14), isCommitted: random.chance(0.5) }
    seat.site.kill = { ...kill }
    const ended = await exchange(seat)
    seat.site.kill = undefined
    return `${kill.isCommitted ? 'after' : 'in'} transaction ${kill.after}: ${ended}`
  },
  'killed write': async (world, seat, random) => {
    seat.site.kill = { after: random.int(2), isCommitted: random.chance(0.5) }
    const said = await write(world, seat, random)
    seat.site.kill = undefined
    return said
  },
  'killed remote': async (world, seat, random) => {
    world.remote.kill = { after: random.int(6), isCommitted: random.chance(0.5) }
    const said = await exchange(seat)
    world.remote.kill = undefined
    return said
  },
  deliver: async (_world, seat) => {
    await seat.wire.deliverHeld()
    return 'delivered'
  },
  clock: async (world, seat, random) => {
    // A remote that leaps beyond 180 days forgets what it has answered, as it may.
    const isRemote = random.chance(0.3)
    const years = random.pick(isRemote ? [-1, 0.1, -0.1] : [-1, 1, 0.1, -0.1])
    const clock = isRemote ? world.clock : seat.clock
    clock.move(years)
    return `${isRemote ? 'the remote' : seat.name} by ${years} years`
  },
  resolve: async (world, seat, random) => {
    const { site, person } = seat
    const row = random.maybe(
      await select(
        site,
        `SELECT op_id, state FROM sync_journal WHERE state IN ('conflict', 'rejected', 'parked', 'quarantined') ORDER BY id`,
      ),
    )
    if (!row) return 'nothing to decide'
    const decision = random.pick(['again', 'mine', 'theirs', 'discard'])
    const seen = await world.ledger.seenAt(site)
    const path = '/replica/operations'
    const body = { operations: [{ op_id: row.op_id }], decision }
    const { status } = await site.call({ user_id: person.user_id, method: 'POST', path, body })
    for (const op_id of await world.ledger.note(seat)) world.ledger.decisions.set(op_id, { seat: seat.name, path, seen })
    return `${row.state} ${row.op_id} ${decision}: ${status}`
  },
  role: async (world, seat, random) => {
    const [organization_id] = world.template.organization_ids
    const admin = world.template.people[0]?.user_id ?? 0
    const others = [...world.template.people.slice(1), world.template.newcomer]
    const { user_id, name } = random.chance(0.7) ? seat.person : random.pick(others)
    const path = `/organizations/${organization_id}/members/${user_id}`
    const [member] = await select(
      world.remote,
      `SELECT id FROM memberships WHERE organization_id = ${organization_id} AND user_id = ${user_id} AND deleted_at IS NULL`,
    )
    const role = random.pick(roles)
    if (!member) {
      const actor = { user_id: admin, origin: 'cli', request_id: null, if_match: null }
      await world.remote.store.transact(actor, async (tx) => insertMembership(tx, { organization_id, user_id, role }))
      return `${name} joins as ${role}`
    }
    const isLeaving = random.chance(0.4)
    const { status } = isLeaving
      ? await world.remote.call({ user_id: admin, method: 'DELETE', path })
      : await world.remote.call({ user_id: admin, method: 'PUT', path, body: { role } })
    return `${name} ${isLeaving ? 'leaves' : `becomes ${role}`}: ${status}`
  },
  'copy replica': async (world, seat) => {
    world.copies.set(seat.name, seat.site.copy())
    return 'copied'
  },
  'restore replica': async (world, seat) => {
    const copy = world.copies.get(seat.name)
    if (!copy) return 'no copy'
    await seat.site.replaceWith(copy)
    await world.ledger.excuseLost(seat)
    return 'restored'
  },
  'copy remote': async (world) => {
    world.copies.set('remote', world.remote.copy())
    return 'copied'
  },
  'restore remote': async (world, seat, random) => {
    const isNoticed = random.chance(0.5)
    // More than the guard believes: a person has to decide about it.
    const isLarge = random.chance(0.3)
    if (isLarge) world.copies.set('remote', world.remote.copy())
    if (isLarge) await makeMany(world, random.chance(0.5) ? world.remote : seat.site, seat.person.user_id)
    const copy = world.copies.get('remote')
    if (!copy) return 'no copy'
    world.ledger.wasRemoteRestored = true
    await world.remote.replaceWith(copy)
    if (isNoticed) {
      const actor = { user_id: 0, origin: 'cli', request_id: null, if_match: null }
      await world.remote.store.transact(actor, (tx) => beginEpoch(tx))
      await world.remote.restart()
    }
    await world.ledger.reload(world.remote)
    return `${isLarge ? 'much was made; ' : ''}restored${isNoticed ? ', as another epoch' : ' behind its back'}`
  },
  'lose file': async (world, seat, random) => {
    const { blobs } = seat.site.deps
    const [row] = [random.maybe(await select(seat.site, 'SELECT sha256 FROM blobs ORDER BY sha256'))]
    const sha256 = String(row?.sha256 ?? '')
    if (!row || !(await blobs.has(sha256))) return 'no file'
    await blobs.remove(sha256)
    world.ledger.lostFiles.add(`${seat.name} ${sha256}`)
    return sha256
  },
  'run out': async (world, { site, person: { user_id } }, random) => {
    const actor = { user_id, origin: 'sync', request_id: null, if_match: null }
    await site.store.transact(actor, (tx) => dropLeases(tx))
    // What is made now has a provisional id, by which what follows names it.
    const body = {
      payer: { id: world.template.organization_ids[0], type: 'Organization' },
      amount: 1 + random.int(9),
      occurred_at: '2026-03-04',
    }
    const made = await site.call({ user_id, method: 'POST', path: '/expenses', body })
    const id = typeof made.body === 'object' && made.body !== null && 'id' in made.body ? Number(made.body.id) : 0
    if (id === 0) return `no leased ids are left: ${made.status}`
    const path = `/expenses/${id}`
    const edited = await site.call({ user_id, method: 'PATCH', path, body: { description: 'provisional' } })
    const said = await site.call({ user_id, method: 'POST', path: `${path}/comments`, body: { content: 'so far' } })
    await world.ledger.noteMoney(site, id)
    return `no leased ids are left: ${made.status} ${path}, ${edited.status}, ${said.status}`
  },
  clone: async (world, seat) => {
    if (world.seats.length > 4) return 'enough of them'
    const { name } = await world.sit(seat.person, seat.site.copy())
    return `${name} is a copy of it`
  },
  purge: async (world) => {
    const actor = world.template.people[0]?.user_id ?? 0
    const ids = await makeMany(world, world.remote, actor)
    for (const id of ids) await world.remote.call({ user_id: actor, method: 'DELETE', path: `/expenses/${String(id)}` })
    return `${ids.length} made, pulled and deleted`
  },
  decide: async (_world, seat, random) => {
    const decision = random.pick(['allow', 'keep'] as const)
    const { status } = await seat.site.call({ user_id: seat.person.user_id, method: 'POST', path: '/replica/guard', body: { decision } })
    await exchange(seat)
    return `${decision}: ${status}`
  },
}

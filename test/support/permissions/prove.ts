import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedStreams } from '#shared/contract/instance/feed'
import { endpoints } from '#main/http/endpoints'
import type { Endpoint } from '#main/http/endpoint'
import { type ApiResponse, call } from './call'
import { type CallFixture, recordFor, spendRecord } from './call-fixture'
import { expectedStatus } from './expected'
import { fixtureOf, fixtures } from './fixtures'
import { type Place, type Situation, placeOf, whereOf } from './places'
import { type Caller, type CallerName, type World, callers, makeWorld } from './world'

/** What is called: everything that answers a request, and the stream that goes on. */
type Called = Pick<Endpoint, 'kind' | 'route'>
const called: readonly Called[] = [...endpoints, ...Object.values(feedStreams).map((route) => ({ kind: 'query', route }) as const)]

/** How far the log of changes and the trail have come. */
interface Writes {
  readonly change: number
  readonly activity: number
}

const lastSeq = sql<number | null>`(SELECT max(seq) FROM change_log)`
const lastActivity = sql<number | null>`(SELECT max(id) FROM activities)`

async function lastWrites({ instance }: World): Promise<Writes> {
  const { db } = instance.app.store.reader
  const last = await db.selectNoFrom([lastSeq.as('change'), lastActivity.as('activity')]).executeTakeFirstOrThrow()
  return { change: Number(last.change), activity: Number(last.activity) }
}

/** How many changes and activities there are since: none after a refused write. */
async function countWrites(world: World, caller: Caller, since: Writes): Promise<number> {
  const last = await lastWrites(world)
  if (last.change === since.change && last.activity === since.activity) return 0
  const { db } = world.instance.app.store.reader
  // What goes out by mail is noted on invitations meanwhile; whoever changes one leaves an activity too. Others are notified meanwhile, too.
  const changes = db
    .selectFrom('change_log')
    .select('changed')
    .where('seq', '>', since.change)
    .where('table_name', '!=', 'invitations')
    .where((of) => of.not(of.and([of('table_name', '=', 'user_notifications'), of('actor_user_id', '=', 0)])))
    .where((of) => of.or([of('actor_user_id', 'is', null), of('actor_user_id', 'in', [0, caller.user_id])]))
  const activities = db.selectFrom('activities').where('id', '>', since.activity)
  const [changed, told] = await Promise.all([
    changes.execute(),
    activities.select((of) => of.fn.countAll<number>().as('n')).executeTakeFirstOrThrow(),
  ])
  return changed.filter((change) => !isJudged(change)).length + Number(told.n)
}

/** An expense that only got other findings: it was judged in the background, for the person who changed a policy before. */
function isJudged({ changed }: { readonly changed: string }): boolean {
  const names: string[] = JSON.parse(changed)
  return names.length > 0 && names.every((name) => name === 'flags' || name === 'flag_level')
}

/** Calls as one caller in one situation and compares with the table; answers what is wrong. */
async function prove(world: World, endpoint: Called, at: { situation: Situation; caller: Caller }): Promise<string[]> {
  const { route } = endpoint
  const fixture = fixtureOf(route)
  const usual = placeOf(world, at)
  const expected = expectedStatus(route, fixture, usual)
  const isSpent = endpoint.kind !== 'query' && expected < 300 && fixture.on.isOfOrganization === true
  const organization = isSpent ? await world.makeOrganization(whereOf(at.situation)) : undefined
  const place = placeOf(world, { ...at, organization })
  const made = isSpent ? await fixture.on.make(world, place) : await recordFor(world, fixture.on, place)
  // What is not to be refused and is, has the wrong status.
  const before = expected >= 400 ? await lastWrites(world) : undefined
  const response = await call(world, route, { fixture, place, made })
  if (endpoint.kind !== 'query' && response.status < 400) spendRecord(world, fixture.on, place)
  const wrong: string[] = []
  if (response.status !== expected) wrong.push(`${at.caller.name}: ${response.status} instead of ${expected} ${response.text}`)
  if (before && response.status >= 400 && (await countWrites(world, at.caller, before)) > 0)
    wrong.push(`${at.caller.name}: a refused write changed something`)
  if (response.status === 404) wrong.push(...(await compareWithAbsent(world, endpoint, { caller: at.caller, fixture, answer: response })))
  return wrong
}

/** What the caller may not see answers as what is not there, to the byte. */
async function compareWithAbsent(
  world: World,
  endpoint: Called,
  { caller, fixture, answer: response }: { caller: Caller; fixture: CallFixture; answer: ApiResponse },
): Promise<string[]> {
  const situation = 'with an id that nothing has'
  if (!fixture.on.situations.includes(situation)) return []
  const place = placeOf(world, { situation, caller })
  if (expectedStatus(endpoint.route, fixture, place) !== 404) return []
  const absent = await answerOfAbsent(world, endpoint, { fixture, place })
  const isSame = absent.text === response.text && absent.headers === response.headers
  return isSame ? [] : [`${caller.name}: ${response.text} ${response.headers} instead of ${absent.text} ${absent.headers}`]
}

/** What a route answers a caller of what is not there, by route and caller: the same each time, so each is called once in a world. */
const absentAnswers = new WeakMap<World, Map<string, ApiResponse>>()

async function answerOfAbsent(
  world: World,
  { route }: Called,
  { fixture, place }: { fixture: CallFixture; place: Place },
): Promise<ApiResponse> {
  const known = absentAnswers.get(world) ?? new Map<string, ApiResponse>()
  absentAnswers.set(world, known)
  const key = `${route.name} ${place.caller.name}`
  const answer = known.get(key) ?? (await call(world, route, { fixture, place, made: await recordFor(world, fixture.on, place) }))
  known.set(key, answer)
  return answer
}

/** The cells of a situation's table: who calls which route. */
function cellsOf(situation: Situation): Array<readonly [endpoint: Called, caller: CallerName]> {
  const concerned = called.filter(({ route }) => fixtures[route.name]?.on.situations.includes(situation))
  return concerned.flatMap((endpoint) => callers.map((name) => [endpoint, name] as const))
}

/** How many statuses each situation promises. */
export const countCells = (all: readonly Situation[]): number => all.reduce((sum, situation) => sum + cellsOf(situation).length, 0)

/** The statuses that a caller is refused or answered with, for every route that knows these situations; each test prints every wrong cell of its table. */
export function provePermissions(situations: readonly Situation[]): void {
  let world: World
  beforeAll(async () => {
    world = await makeWorld()
  })
  afterAll(() => world.instance.remove())

  test.each(situations)('%s', async (situation) => {
    const wrong: string[] = []
    for (const [endpoint, name] of cellsOf(situation)) {
      const found = await prove(world, endpoint, { situation, caller: world.people[name] })
      wrong.push(...found.map((one) => `${endpoint.route.name}: ${one}`))
    }
    expect(wrong).toEqual([])
  })
}

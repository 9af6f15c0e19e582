import { auditRoutes } from '#shared/contract/instance/audit'
import { toInstant } from '#shared/domain/dates'
import { DomainError, invalid } from '#shared/domain/errors'
import { translate } from '#shared/i18n/translations'
import { countMoneyRecords } from '#main/store/audit/record-reader'
import { countWaiting, findLastSeal } from '#main/store/audit/seal-reader'
import { findReplicaValue } from '#main/store/sync/replica-state'
import { getVisibleOrganization } from '#main/use-cases/access/get-visible-organization'
import { findAuditKey } from '#main/use-cases/audit/audit-key'
import { type VerifyPlace, verifyStep, verifyTrail } from '#main/use-cases/audit/verify-trail'
import { type Context, type Endpoint, query } from '../endpoint'
import { packUrl } from '../representations/file-links'

/** Throws if the caller may not read an organization's seals. */
function assertAdmin({ reader, caller }: Context, id: number) {
  return getVisibleOrganization(reader, { id, user_id: caller.user_id, action: 'audit.read' })
}

/** The sealed audit trail (extension). */
export const auditEndpoints: Endpoint[] = [
  query(auditRoutes.show, async (context: Context<'blobs'>, { params: { organization_id }, query: { from = null, to = null } }) => {
    const { reader, deps, locale } = context
    await assertAdmin(context, organization_id)
    if (from !== null && to !== null && to < from) throw invalid('to', 'ends_before_start')
    if (await findReplicaValue(reader, 'remote')) {
      const seen = (await findReplicaValue(reader, 'heads'))?.find((one) => one.organization_id === organization_id)
      const last = seen && { number: seen.number, head: seen.head, sealed_at: seen.sealed_at }
      const here = { is_replica: true, fork: seen?.fork ?? null, pack_url: null }
      return { body: { last: last ?? null, sealed: seen?.total ?? 0, waiting: 0, public_key: seen?.public_key ?? null, ...here } }
    }
    const seal = await findLastSeal(reader, organization_id)
    const waiting = await countWaiting(reader, { organization_id, after: seal?.last_id ?? Number.MIN_SAFE_INTEGER })
    const key = await findAuditKey(deps.blobs.root)
    return {
      body: {
        last: seal ? { number: seal.number, head: seal.head, sealed_at: seal.sealed_at } : null,
        sealed: seal?.total ?? 0,
        waiting: waiting.count,
        public_key: key?.public_key ?? null,
        is_replica: false,
        fork: null,
        pack_url: seal && key ? packUrl(context, { organization_id, from, to, locale }) : null,
      },
    }
  }),
  query(auditRoutes.verify, async (context: Context<'blobs' | 'store'>, { params: { organization_id }, query: { step: asked } }) => {
    const { reader, deps, locale } = context
    await assertAdmin(context, organization_id)
    const key = await findAuditKey(deps.blobs.root)
    const now = deps.clock.now()
    // A replica has no seals, so verifying it would prove nothing.
    if (await findReplicaValue(reader, 'remote')) throw new DomainError({ kind: 'not_possible', code: 'sealed_at_remote' })
    const options = { trusted: key ? [key.public_key] : [], heads: [], now, blobs: deps.blobs, organization_id }
    // At one moment: a record that changes meanwhile would differ from entries read before.
    const step = await deps.store.snapshot((still) =>
      asked === undefined ? verifyTrail(still, options) : verifyStep(still, { ...options, place: readPlace(asked) }),
    )
    const { seals = 0, entries = 0, files = 0, erased = 0, waiting = 0 } = step.chains[0] ?? {}
    const shown = step.problems.map(({ code, number, activity_id, about }) => {
      const params = { number: number ?? 0, activity_id: activity_id ?? 0, about: about ?? '' }
      return { code, number, activity_id, message: translate(locale, `audit:problems.${code}`, params) }
    })
    const found = { ok: step.problems.length === 0, problems: shown, verified_at: toInstant(now) }
    const sealed = (await findLastSeal(reader, organization_id))?.total ?? 0
    const total = sealed + (await countMoneyRecords(reader, organization_id))
    const next = step.next ? writePlace(step.next) : null
    return { body: { ...found, seals, entries, files, erased, waiting, checked: step.checked, total, next } }
  }),
]

/** Where a step begins; undefined: the first seal. */
function readPlace(text: string): VerifyPlace | undefined {
  const [part, first, second] = text.split(':')
  if (part === 'seals') return { part, after: Number(first) }
  return part === 'records' ? { part, kinds: Number(first), after: Number(second) } : undefined
}

function writePlace(place: VerifyPlace): string {
  return place.part === 'seals' ? `seals:${place.after}` : `records:${place.kinds}:${place.after}`
}

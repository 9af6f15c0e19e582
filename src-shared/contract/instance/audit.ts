import { z } from 'zod'
import { organizationParams, nothing } from '../requests'
import { route } from '../route'

const day = z
  .string('invalid')
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'invalid')
  .refine((text) => !Number.isNaN(Date.parse(text)), 'invalid')

const fork = z.object({
  /** When this replica found it. */
  noticed_at: z.string(),
  /** The last seal that this replica had seen, and when it was made. */
  number: z.int(),
  sealed_at: z.string(),
  /** `head`: the remote's chain differs from here on; `entries`: local entries are not those that it sealed. */
  kind: z.enum(['head', 'entries']),
})

/** The seals of an organization's audit trail. */
export const auditStatus = z
  .object({
    /** The last seal; null: nothing is sealed yet. On a replica, the last seal of its remote that it has seen. */
    last: z.object({ number: z.int(), head: z.string(), sealed_at: z.string() }).nullable(),
    /** The number of sealed entries, and of entries that wait for a seal. */
    sealed: z.int(),
    waiting: z.int(),
    /** The signing key, Ed25519: SPKI, DER, base64. */
    public_key: z.string().nullable(),
    is_replica: z.boolean(),
    /** Where this replica saw the remote's chain replaced, as after a restored backup. */
    fork: fork.nullable(),
    /** A signed address of the period's auditor's pack; null if nothing is sealed, and on a replica. */
    pack_url: z.string().nullable(),
  })
  .meta({ id: 'AuditStatus' })
export type AuditStatus = z.infer<typeof auditStatus>

/** The result of a verification. */
export const auditVerification = z
  .object({
    ok: z.boolean(),
    /** Each with its sentence in the request's language. */
    problems: z.array(z.object({ code: z.string(), number: z.int().nullable(), activity_id: z.int().nullable(), message: z.string() })),
    seals: z.int(),
    entries: z.int(),
    files: z.int(),
    /** The number of entries whose details about a person were erased. */
    erased: z.int(),
    waiting: z.int(),
    verified_at: z.string(),
    /** How many entries and records this response covers, and their total. */
    checked: z.int(),
    total: z.int(),
    /** Where a stepwise verification continues, as `step`; null: it is complete. */
    next: z.string().nullable(),
  })
  .meta({ id: 'AuditVerification' })
export type AuditVerification = z.infer<typeof auditVerification>

/** Where a step of a verification begins. `start`: the first seal. */
export const verificationPlace = z.union([
  z.literal('start'),
  z.string('invalid').regex(/^seals:-?\d{1,15}$|^records:\d{1,2}:-?\d{1,16}$/, 'invalid'),
])

const path = '/organizations/:organization_id/audit'

/** The sealed audit trail of an organization (extension), for its admins. */
export const auditRoutes = {
  show: route({
    action: 'audit.read',
    name: 'audit.show',
    summary: "The seals of an organization's audit trail, and the address of the auditor's pack of a period",
    method: 'GET',
    path,
    params: organizationParams,
    query: z.object({ from: day.optional(), to: day.optional() }),
    body: nothing,
    response: auditStatus,
    status: 200,
  }),
  verify: route({
    action: 'audit.read',
    name: 'audit.verify',
    summary: "Compare an organization's audit trail and the files that it names with their seals",
    method: 'GET',
    path: `${path}/verification`,
    params: organizationParams,
    query: z.object({ step: verificationPlace.optional() }),
    body: nothing,
    response: auditVerification,
    status: 200,
  }),
}

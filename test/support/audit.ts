import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { systemClock } from '#main/clock'
import { findLastSealed, findNewestEntry } from '#main/store/audit/seal-reader'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import type { Store } from '#main/store/core/store'
import { findAuditKey } from '#main/use-cases/audit/audit-key'
import { type VerifyOptions, verifyTrail } from '#main/use-cases/audit/verify-trail'
import { writePack } from '#main/use-cases/audit/write-pack'
import { createBlobStore } from '#main/files/blob-store'
import { writeFileWhole } from '#main/use-cases/exports/run-export'
import { attach } from './attach'
import { moveExpense, recordExpense } from './expenses'
import { type Instance, startInstance } from './instance'
import { recordMoney } from './settlements'

/** Waits until every entry of the trail has its seal. */
export async function allSealed({ reader }: Store): Promise<void> {
  await vi.waitFor(
    async () => {
      if ((await findNewestEntry(reader)) > (await findLastSealed(reader))) throw new Error('Some entries wait for their seal.')
    },
    { timeout: 60_000, interval: 5 },
  )
}

/** An instance whose trail has several seals: expenses, moves, receipts, payments, a closed month, invitations, and entries of no organization. */
export async function startSealed(rounds = 5): Promise<Instance> {
  const instance = await startInstance({ settings: { OUTLAY_SEAL_MS: 1 } })
  const { admin, member, app, organization_id } = instance
  for (let round = 0; round < rounds; round += 1) {
    const first = await recordExpense(instance, member, { description: `Taxi ${round} – São Paulo` })
    const second = await recordExpense(instance, member, { amount: 40 + round })
    await attach(member.api, first.id, `receipt-${round}`)
    for (const path of ['/reimbursements', '/advancements', '/advancement_devolutions'])
      await recordMoney(instance, path, { amount: 10.5 + round, currency: 'EUR' })
    await admin.api.send('POST', `/organizations/${organization_id}/closings`, { name: `2020-0${round + 1}` })
    await moveExpense(admin, second.id, { status: 'rejected' })
    await admin.api.send('POST', `/organizations/${organization_id}/members`, {
      user: { email: `guest${round}@example.org` },
      role: 'member',
    })
    await member.api.send('PATCH', '/preferences', { locale: round % 2 === 0 ? 'pt' : 'en' })
    await allSealed(app.store)
  }
  return instance
}

/** Verifies the trail of an instance with its own key. */
export async function verified({ app, folder }: Pick<Instance, 'app' | 'folder'>, options: Partial<VerifyOptions> = {}) {
  const key = await findAuditKey(folder)
  const blobs = createBlobStore(folder, { randomId: () => systemClock.uid() })
  const trusted = key ? [key.public_key] : []
  return verifyTrail(app.store.reader, { trusted, heads: [], now: systemClock.now(), blobs, ...options })
}

/** Writes the pack of an instance's organization and unpacks it, as an auditor does. */
export async function unpackedPack({ app, folder, organization_id }: Instance, to: string): Promise<string> {
  const [organization, key] = [await findOrganization(app.store.reader, organization_id), await findAuditKey(folder)]
  if (!organization || !key) throw new Error('There is nothing to put into a pack.')
  const blobs = createBlobStore(folder, { randomId: () => systemClock.uid() })
  const about = { organization, key, from: null, to: null, made_at: systemClock.now(), locale: 'en' as const, earlier_keys: [] }
  const zip = join(folder, 'pack.zip')
  await writeFileWhole(zip, writePack(app.store.reader, blobs, about))
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  execFileSync('unzip', ['-q', zip, '-d', to])
  return to
}

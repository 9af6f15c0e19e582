import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Row } from '#db/schema'
import { defaultLanguage } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import { syncFolder } from '#main/files/durable'
import { listSealsAfter } from '#main/store/audit/seal-reader'
import { findWitnessed, noteWitnessed } from '#main/store/audit/witnesses'
import { postGuarded } from './guarded-post'
import type { JobDeps } from './job-deps'
import { type Job, createLoop } from './loop'

/** Heads that are sent together. */
const atOnce = 100
const retryMs = 60_000
/** Mail has the newest head of each chain, at most this often. */
const mailEveryMs = 86_400_000

const witness = { user_id: 0, origin: 'system', request_id: null, if_match: null } as const

/** What is sent of a seal: enough to recognize it, nothing of its entries. */
function toHead({ organization_id, number, total, head, sealed_at, public_key }: Row<'audit_seals'>) {
  return { organization_id, number, total, head, sealed_at, public_key }
}
type Head = ReturnType<typeof toHead>

/** A destination of heads, by its name in the settings table; resolves to whether they arrived. */
interface Witness {
  readonly name: string
  readonly send: (heads: readonly Head[]) => Promise<boolean>
  readonly everyMs: number
}

/** Appends a line for each head, and waits until the lines are on disk. */
async function appendHeads(path: string, heads: readonly Head[]): Promise<boolean> {
  const file = await open(path, 'a', 0o600)
  try {
    await file.writeFile(heads.map((head) => `${JSON.stringify(head)}\n`).join(''))
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(dirname(path))
  return true
}

function newestOf(heads: readonly Head[]): Head[] {
  return [...new Map(heads.map((head) => [head.organization_id, head])).values()]
}

function witnessesOf({ settings, mailer }: JobDeps): Witness[] {
  const { OUTLAY_WITNESS_FILE: path, OUTLAY_WITNESS_URL: url, OUTLAY_WITNESS_EMAIL: to } = settings
  const timeoutMs = settings.OUTLAY_WEBHOOK_TIMEOUT_MS
  const headers = { 'content-type': 'application/json' }
  const post = async (address: string, heads: readonly Head[]) => {
    const body = JSON.stringify({ heads })
    // The operator sets the address, so it may be private.
    const outcome = await postGuarded({ url: address, headers, body, timeoutMs, allow_private: true })
    return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300
  }
  const mail = async (address: string, heads: readonly Head[]) => {
    const text = newestOf(heads)
      .map((head) => JSON.stringify(head))
      .join('\n\n')
    const subject = translate(defaultLanguage, 'audit:mail.subject')
    const { kind } = await mailer.send({
      to: address,
      subject,
      text: `${translate(defaultLanguage, 'audit:mail.text')}\n\n${text}\n`,
      html: '',
    })
    return kind === 'sent' || kind === 'kept'
  }
  return [
    ...(path === undefined ? [] : [{ name: 'witness.file', everyMs: 0, send: (heads: readonly Head[]) => appendHeads(path, heads) }]),
    ...(url === undefined ? [] : [{ name: 'witness.url', everyMs: 0, send: (heads: readonly Head[]) => post(url, heads) }]),
    ...(to === undefined ? [] : [{ name: 'witness.email', everyMs: mailEveryMs, send: (heads: readonly Head[]) => mail(to, heads) }]),
  ]
}

/**
 * Sends the heads of the audit trail to the operator's witnesses: a file, an address, a mailbox. The progress of each is in the database: heads that
 * were not noted before the process ended are sent again.
 */
export function witnessHeads(deps: JobDeps): Job {
  const { store, clock, log } = deps
  const witnesses = witnessesOf(deps)
  const bring = async ({ name, send, everyMs }: Witness): Promise<boolean> => {
    const known = await findWitnessed(store.reader, name)
    if (known && everyMs > 0 && clock.now().getTime() - Date.parse(known.at) < everyMs) return false
    const seals = await listSealsAfter(store.reader, known?.seal_id ?? 0, everyMs > 0 ? atOnce * atOnce : atOnce)
    const last = seals.at(-1)
    if (!last) return false
    const arrived = await send(seals.map(toHead)).catch((error: unknown) => {
      log.warn({ err: error, witness: name }, 'heads could not be witnessed')
      return false
    })
    if (!arrived) return false
    await store.transact(witness, (tx) => noteWitnessed(tx, name, last.id))
    return seals.length === atOnce
  }
  const round = async () => {
    let isMore = false
    for (const one of witnesses) isMore = (await bring(one)) || isMore
    return isMore ? ({ kind: 'again' } as const) : ({ kind: 'later', afterMs: retryMs } as const)
  }
  return createLoop({ store, name: 'witnesses' }, round, (error) => log.error({ err: error }, 'heads could not be witnessed'))
}

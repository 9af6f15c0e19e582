import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { instanceOfFile } from '#test/support/of-file'
import { pdf } from '#test/files/samples'
import { resetPage } from '../../../src-renderer/api/page/page-state'
import { createDraft } from '../../../src-renderer/state/draft'
import { draftJobs, sendDraft } from '../../../src-renderer/state/draft-delivery'
import { putDraft, useDrafts } from '../../../src-renderer/state/drafts'
import { captureFiles, outboxJobs, retryFiles, useOutbox } from '../../../src-renderer/state/outbox'
import { type SendingEvent, startSending, useSending } from '../../../src-renderer/state/sending'
import { readWords } from '../read-hook'

/** What is captured is sent once, whatever happens to its requests. There is no disk here: the page alone has it. */

const realFetch = globalThis.fetch
let events: SendingEvent[]
let stop: () => void
/** What the wire does with a request; `go` sends it. */
let wire: (path: string, go: () => Promise<Response>) => Promise<Response>
await readWords()
const instance = await instanceOfFile()
beforeEach(() => {
  const authorization = `Basic ${Buffer.from(`${instance.member.token}:`).toString('base64')}`
  wire = (_path, go) => go()
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    if (!address.startsWith('/')) return realFetch(address, init)
    const headers = { ...Object.fromEntries(new Headers(init.headers)), authorization, 'user-agent': 'tests' }
    return wire(`${init.method} ${address}`, () => realFetch(`${instance.url}${address}`, { ...init, headers }))
  })
  const target = { addEventListener: () => undefined, removeEventListener: () => undefined }
  vi.stubGlobal('window', target)
  vi.stubGlobal('document', target)
  vi.stubGlobal('localStorage', { removeItem: () => undefined, setItem: () => undefined })
  events = []
  stop = startSending([draftJobs, outboxJobs], (event) => events.push(event))
})
afterEach(() => {
  stop()
  resetPage()
  vi.unstubAllGlobals()
})

const lost = () => Promise.reject(new TypeError('Failed to fetch'))
const listExpenses = async () => (await instance.member.api.get('/expenses')).body.expenses
const listCaptures = async () => (await instance.member.api.get('/captures')).body.captures
const hotel = () => new File([new Uint8Array(pdf({ height: 40 }))], 'hotel.pdf', { type: 'application/pdf' })

/** Hands an expense over to be sent. */
async function send(attributes: Record<string, unknown>): Promise<string> {
  const defaults = { payer_id: instance.organization_id, currency: 'BRL', tags: [], distance_kind: 'km' } as const
  const draft = createDraft('', { ...defaults, tags: [] })
  putDraft(draft)
  const payer = { id: instance.organization_id, type: 'Organization' }
  await sendDraft(draft.id, { payer, amount: 7, currency: 'BRL', occurred_at: '2026-03-04', ...attributes })
  return draft.id
}

test('an expense whose response was lost twice is not recorded twice', async () => {
  let losses = 2
  wire = async (path, go) => {
    const response = await go()
    return path === 'POST /api/v1/expenses' && losses-- > 0 ? lost() : response
  }
  await send({ description: 'Parking' })
  await expect.poll(() => events).toMatchObject([{ kind: 'recorded', expense: { description: 'Parking', amount: 7 } }])
  expect(losses).toBeLessThan(0)
  expect(await listExpenses()).toHaveLength(1)
  expect(useDrafts.getState().drafts).toEqual([])
})

test('an expense that the server rejects comes back with the error of its attribute, and is recorded once it is right', async () => {
  const id = await send({ tags: ['x'.repeat(300)], description: 'Too long' })
  await expect.poll(() => events).toMatchObject([{ kind: 'rejected', error: { status: 422 } }])
  const [draft] = useDrafts.getState().drafts
  expect(draft).toMatchObject({ id, stage: { kind: 'editing' }, refused: { tags: [expect.stringContaining('255')] } })
  await sendDraft(id, { payer: { id: instance.organization_id, type: 'Organization' }, amount: 7, occurred_at: '2026-03-04', tags: ['x'] })
  await expect.poll(() => events.map(({ kind }) => kind)).toEqual(['rejected', 'recorded'])
})

test('a file that did not arrive is sent again on its own', async () => {
  let losses = 2
  wire = (path, go) => (path.startsWith('POST /api/v1/captures') && losses-- > 0 ? lost() : go())
  captureFiles([hotel()], { source: 'drop' })
  await expect.poll(() => useSending.getState().isServerAway).toBe(true)
  await expect.poll(async () => (await listCaptures()).map(({ file_name }: { file_name: string }) => file_name)).toEqual(['hotel.pdf'])
  expect(losses).toBeLessThan(0)
  await expect.poll(() => useOutbox.getState().files).toEqual([])
})

test('what this device cannot keep is not said to be saved, and is sent all the same', async () => {
  const before = (await listCaptures()).length
  wire = lost
  const keys = captureFiles([hotel()], { source: 'paste' })
  await expect.poll(() => Object.values(useOutbox.getState().states)).toMatchObject([{ kind: 'failed' }])
  wire = (_path, go) => go()
  retryFiles(keys)
  await expect.poll(async () => (await listCaptures()).length).toBe(before + 1)
  await expect.poll(() => events.some(({ kind }) => kind === 'captured')).toBe(true)
})

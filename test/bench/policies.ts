import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processorMs } from './databases/processor'
import { seed } from './seed'
import { startProgram } from './servers'

/** What policies cost, in milliseconds of the server's processor for each request. */
export interface PolicyCost {
  readonly policies: number
  readonly record: number
  readonly edit: number
  readonly approve: number
  readonly list: number
}

const counts = [0, 50, 1_000]

/** Waits until a server has judged everything again that its policies concern: it would be counted with the requests. */
async function settle(pid: number): Promise<void> {
  for (let before = processorMs(pid), isBusy = true; isBusy;) {
    await sleep(1000)
    const now = processorMs(pid)
    isBusy = now - before > 30
    before = now
  }
}

/** Every tenth policy adds up what a claimant has in a day, a week or a month; the others look at one expense. */
function policyOf(index: number): Record<string, unknown> {
  const said = { name: `Policy ${index}`, weight: 'note', currency: 'BRL' }
  if (index % 10 > 0) return { ...said, condition: 'amount_over', amount: 100_000 + index }
  const period = (['day', 'week', 'month'] as const)[(index / 10) % 3]
  return { ...said, condition: 'sum_over', amount: 9_000_000 + index, period }
}

/** Measures a write and a list with no policies, 50 and 1,000, a tenth of which add up; `samples` of each request, one after the other. */
export async function* measurePolicies(
  folder: string,
  { expenses, samples }: { expenses: number; samples: number },
): AsyncGenerator<PolicyCost> {
  const { token, organization_id, receiver_ids } = await seed(join(folder, 'policies'), expenses)
  const server = await startProgram(join(folder, 'policies'))
  const headers = { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body?: object): Promise<{ id: number; currency: string; amount: number }> => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${server.url}/api/v1${path}`, init)
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const measure = async (one: (index: number) => Promise<unknown>) => {
    for (let index = 0; index < samples / 10; index += 1) await one(-1 - index)
    const before = processorMs(server.pid)
    for (let index = 0; index < samples; index += 1) await one(index)
    return (processorMs(server.pid) - before) / samples
  }
  try {
    let made = 0
    for (const policies of counts) {
      for (; made < policies; made += 1) await send('POST', `/organizations/${organization_id}/policies`, policyOf(made))
      await settle(server.pid)
      const ids: number[] = []
      const payer = { id: organization_id, type: 'Organization' }
      const record = await measure(async (index) => {
        const receiver = { id: receiver_ids[Math.abs(index) % receiver_ids.length], type: 'User' }
        // No amount is there twice, so that no repeats are found.
        const amount = 10 + policies + Math.abs(index) + (index < 0 ? 0.25 : 0.5)
        const body = { payer, receiver, amount, currency: 'BRL', occurred_at: '2025-05-05', description: `Measured ${policies} ${index}` }
        ids.push((await send('POST', '/expenses', body)).id)
      })
      const idOf = (index: number) => ids.at(index) ?? 0
      const edit = await measure((index) => send('PATCH', `/expenses/${idOf(index)}`, { description: `Edited ${policies} ${index}` }))
      const list = await measure(() => send('GET', '/expenses?per_page=30'))
      const approval = { status: 'approved', approved_amount: 1, approved_amount_currency: 'BRL' }
      // Those of the warm-up are the first; each is approved once.
      let next = 0
      const approve = await measure(() => send('PUT', `/expenses/${idOf(next++)}/status`, approval))
      yield { policies, record, edit, approve, list }
    }
  } finally {
    await server.stop()
  }
}

/** Prints a measurement. */
export function printPolicies({ policies, ...cost }: PolicyCost, say: (text: string) => void): void {
  const shown = Object.entries(cost).map(([name, value]) => `${name} ${value.toFixed(2)} ms`)
  say(`${String(policies).padStart(5)} policies: ${shown.join(', ')}`)
}

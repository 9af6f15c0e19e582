import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { initBuilt, startBuilt } from '#test/support/built-server'
import { capture } from '#test/support/captures'
import { madeCases } from '#test/support/receipts/made-cases'

/** Half a minute of requests, one every so often as a person's page makes them. */
const paced = { count: 600, everyMs: 50 }

/** The response times of a list, paced, in milliseconds from the fastest. */
async function timesOf(url: string, token: string): Promise<number[]> {
  const headers = { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`, 'user-agent': 'bench' }
  const times: number[] = []
  for (let at = 0; at < paced.count; at += 1) {
    const begun = performance.now()
    await (await fetch(`${url}/api/v1/expenses`, { headers })).text()
    times.push(performance.now() - begun)
    await new Promise((resolve) => setTimeout(resolve, paced.everyMs))
  }
  return times.sort((a, b) => a - b)
}

const describe = (times: readonly number[]) =>
  `p50 ${(times[Math.floor(times.length * 0.5)] ?? 0).toFixed(2)} ms, p99 ${(times[Math.floor(times.length * 0.99)] ?? 0).toFixed(2)} ms`

/** Response times of the API with nothing else to do, and while 40 receipts are read. */
export async function benchReadings(say: (text: string) => void): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'outlay-bench-readings-'))
  const { token, organization_id } = await initBuilt(data)
  const server = await startBuilt(data, { OUTLAY_READ_RECEIPTS: '1' })
  try {
    await timesOf(server.url, token)
    say(`nothing else to do: ${describe(await timesOf(server.url, token))}`)
    const ids: number[] = []
    for (const one of madeCases(40)) ids.push((await capture({ token, url: server.url }, { bytes: await one.draw(), name: `${one.name}.jpg` })).id)
    say(`while receipts are read: ${describe(await timesOf(server.url, token))}`)
    const headers = { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`, 'user-agent': 'bench' }
    const asked = await fetch(`${server.url}/api/v1/organizations/${organization_id}/readings?capture_ids=${ids.join(',')}`, { headers })
    say(`read meanwhile: ${((await asked.text()).match(/"state":"read"/g) ?? []).length} of ${ids.length}`)
  } finally {
    await server.kill()
    await rm(data, { recursive: true, force: true })
  }
}

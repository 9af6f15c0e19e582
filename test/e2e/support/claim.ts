import { expect, type Page } from '@playwright/test'
import { z } from 'zod'
import { addUser, copiesOf, makeFolder, makeOrganization, Hosted } from './served'

const expenseSchema = z.object({
  id: z.number(),
  description: z.string().nullable(),
  amount: z.number(),
  status: z.string(),
  location: z.string().nullable(),
  attachments: z.array(z.object({ file_name: z.string() })),
})

const makeClaim = copiesOf(async (folder) => ({
  admin: await makeOrganization(folder),
  claimant: await addUser(folder, { name: 'Bruno Lima', email: 'bruno@example.org', role: 'member' }),
}))

/** A server with Acme, its admin Ana, and Bruno, a member whose expenses she reviews. */
export class Claim {
  private constructor(
    readonly served: Hosted,
    /** Ana's token. */
    readonly admin: string,
    /** Bruno's token. */
    readonly claimant: string,
  ) {}

  /** Makes and starts it, with these settings. */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<Claim> {
    const folder = await makeFolder()
    const { admin, claimant } = await makeClaim(folder)
    return new Claim(await Hosted.start(folder, env), admin, claimant)
  }

  /** Signs the browser in with a token. */
  async signIn(page: Page, token: string): Promise<void> {
    await page.goto(`${this.served.url}/sign-in`)
    const status = await page.evaluate(async (body) => {
      const response = await fetch('/api/v1/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      return response.status
    }, JSON.stringify({ token }))
    expect(status).toBe(201)
  }

  /** Writes to the API, as the admin unless `as` is another's token; gives the expense that it answers. */
  async write(method: string, path: string, { as = this.admin, body }: { as?: string; body: object }) {
    const headers = {
      authorization: `Basic ${Buffer.from(`${as}:`).toString('base64')}`,
      'user-agent': 'e2e',
      'content-type': 'application/json',
    }
    const response = await fetch(`${this.served.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
    expect(response.ok).toBe(true)
    return expenseSchema.parse(await response.json())
  }

  /** Records an expense of Bruno's. */
  makeExpense(changes: object = {}) {
    const body = {
      payer: { id: 1, type: 'Organization' },
      amount: 210,
      currency: 'BRL',
      occurred_at: '2026-01-04',
      description: 'Lunch, 3 people',
      tags: ['Meals'],
      ...changes,
    }
    return this.write('POST', '/expenses', { as: this.claimant, body })
  }

  /** The expense as the API answers it to the admin. */
  async getExpense(id: number) {
    return expenseSchema.parse(await this.served.get(`/expenses/${String(id)}`, this.admin))
  }

  /** Opens the expense's own screen. */
  async openExpense(page: Page, id: number): Promise<void> {
    await page.goto(`${this.served.url}/expenses/${String(id)}`)
    await expect(page.getByRole('tab', { name: 'Details' })).toBeVisible()
  }
}

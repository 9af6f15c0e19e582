import { type Json, apiOf } from '../instance'

/** A browser as far as a sign-in needs one: it keeps cookies by host name, whatever the port, and follows redirects. */
export class TestBrowser {
  readonly #cookies = new Map<string, Map<string, string>>()

  /** The cookies that it sends to an address. */
  cookiesFor(address: string): string {
    return [...(this.#cookies.get(new URL(address).hostname) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Keeps the cookies of a response from an address. */
  keep(address: string, headers: Headers): void {
    const kept = this.#cookies.get(new URL(address).hostname) ?? new Map<string, string>()
    this.#cookies.set(new URL(address).hostname, kept)
    for (const cookie of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      kept.set(name, value)
    }
  }

  /** Follows redirects from an address to the first that begins with `until`, and answers the provider's page with an account. */
  async follow(address: string, { until, account }: { until: string; account: string }): Promise<string> {
    let [at, form]: [string, string | undefined] = [address, undefined]
    for (let steps = 0; steps < 12; steps += 1) {
      if (at.startsWith(until)) return at
      const response: Response = await fetch(at, {
        ...(form !== undefined && { method: 'POST', body: new URLSearchParams({ account: form }) }),
        headers: { cookie: this.cookiesFor(at), 'user-agent': 'tests' },
        redirect: 'manual',
      })
      this.keep(at, response.headers)
      const location: string | null = response.headers.get('location')
      const body = await response.text()
      if (location === null && !body.includes('<form')) throw new Error(`${at}: ${String(response.status)} ${body}`)
      form = location === null ? account : undefined
      at = location === null ? at : new URL(location, at).href
    }
    throw new Error(`No way from ${address} to ${until}`)
  }

  /** Speaks to the API of an instance with this browser's cookies. */
  async send(url: string, path: string, body?: object): Promise<{ status: number; body: Json; headers: Headers }> {
    const answer = await apiOf(url, null).send('POST', path, body, { cookie: this.cookiesFor(url) })
    this.keep(url, answer.headers)
    return answer
  }

  /** Begins to sign in; the address of the provider's page. */
  async begin(url: string): Promise<string> {
    const { status, body } = await this.send(url, '/session/openid/begin')
    if (status !== 201) throw new Error(JSON.stringify(body))
    return String(body.address)
  }

  /** Ends a sign-in with the query of the address to which the provider sent the browser back. */
  end(url: string, returned: string) {
    return this.send(url, '/session/openid', { answer: new URL(returned).search.slice(1) })
  }
}

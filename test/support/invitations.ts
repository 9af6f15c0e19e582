import { systemClock } from '#main/clock'
import { checked } from './contract'
import { type ApiResponse, type Instance, type Json, type Person, apiOf, startInstance } from './instance'
import { type Mailbox, secretIn, startMailbox } from './mailbox'

/** An instance whose invitations arrive in a mailbox, with a clock that can be put forward. */
export class InvitationDesk {
  private constructor(
    readonly instance: Instance,
    /** Another one after {@link restartMailbox}. */
    public mailbox: Mailbox,
    private readonly time: { laterMs: number },
  ) {}

  static async open(): Promise<InvitationDesk> {
    const mailbox = await startMailbox()
    const time = { laterMs: 0 }
    const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + time.laterMs) }
    const settings = { OUTLAY_SMTP_URL: mailbox.url, OUTLAY_PUBLIC_URL: 'https://outlay.example.org/', OUTLAY_LOGIN_THROTTLE: 1000 }
    return new InvitationDesk(await startInstance({ clock, settings }), mailbox, time)
  }

  /** The path of the instance's open invitations. */
  get path(): string {
    return `/organizations/${this.instance.organization_id}/invitations`
  }

  async close(): Promise<void> {
    await this.instance.remove()
    await this.mailbox.close()
  }

  /** Starts the mail server again, empty, where it was. */
  async restartMailbox(): Promise<void> {
    this.mailbox = await startMailbox(this.mailbox.port)
  }

  /** Lets time pass; the commit wakes whoever sends. */
  async pass(ms: number): Promise<void> {
    this.time.laterMs += ms
    await this.instance.stranger.api.send('POST', '/user/tokens', { description: 'wake' })
  }

  invite(person: Person, email: string, role = 'member'): Promise<ApiResponse<Json>> {
    return person.api.send('POST', `/organizations/${this.instance.organization_id}/members`, { user: { email }, role })
  }

  /** The secret that arrives when the admin invites. */
  async invited(email: string, role?: string): Promise<string> {
    await this.invite(this.instance.admin, email, role)
    return secretIn(await this.mailbox.waitFor(email))
  }

  offer(secret: string): Promise<ApiResponse<Json>> {
    return checked(apiOf(this.instance.url, null)).send('POST', '/invitation', { secret })
  }

  accept(secret: string, body: object = { name: 'New Person' }): Promise<ApiResponse<Json>> {
    return checked(apiOf(this.instance.url, null)).send('POST', '/invitation/accept', { secret, ...body })
  }

  /** The open invitation of an address, as analysts see it. */
  async listed(email: string): Promise<Json> {
    const { body } = await checked(this.instance.analyst.api).get(`${this.path}?per_page=100`)
    return body.invitations.find((one: Json) => one.email === email)
  }
}

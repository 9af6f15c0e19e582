import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { parseInstant, toInstant } from '#shared/domain/dates'
import { type Scope, parseScopes, scopes } from '#shared/domain/doors/scopes'
import { systemClock } from '../clock'
import { type TokenEntry, findToken, listTokens } from '../store/core/instance-reader'
import { revokeApiToken } from '../store/records/users/user-writer'
import { createToken } from '../use-cases/users/tokens'
import { cliActor, getUserByEmail, toEmail, toId, toText, withOwnStore, withStore } from './command-context'
import { type DataOption, WorkFailed, dataCommand, print } from './data-command'

interface CreateOptions extends DataOption {
  readonly email: string
  readonly name: string
  readonly scope?: readonly Scope[]
  readonly expires?: string
}

/** `outlay token create | list | revoke`: manages an instance's API tokens. A token is shown once, when created. */
export function tokenCommand(command: Command): Command {
  const create = dataCommand('create', 'Create an API token for a user')
    .requiredOption('--email <address>', "the user's e-mail address", toEmail)
    .option('--name <text>', 'what the token is for', toText, 'outlay token create')
    .option('--scope <names>', `what it may do, separated by commas: ${scopes.join(', ')}`, toScopes)
    .option('--expires <date>', 'when it ends: a date, or a date and time, in UTC', toInstantOption)
    .action(createFor)
  const list = dataCommand('list', 'List the valid API tokens').action((options: DataOption) =>
    withStore(options, async ({ reader }) => print({ tokens: (await listTokens(reader)).map(toEntry) })),
  )
  const revoke = dataCommand('revoke', 'Revoke an API token').argument('<id>', 'its id', toId).action(revokeById)
  return command.addCommand(create).addCommand(list).addCommand(revoke)
}

/** A token in the list, with scopes by name. */
function toEntry({ scopes: held, ...entry }: TokenEntry) {
  return { ...entry, scopes: parseScopes(held) }
}

function toScopes(text: string): Scope[] {
  const named = text.split(',').map((name) => name.trim())
  const chosen = scopes.filter((scope) => named.includes(scope))
  if (chosen.length !== new Set(named).size) throw new InvalidArgumentError(`scopes are ${scopes.join(', ')}`)
  return chosen
}

function toInstantOption(text: string): string {
  const instant = parseInstant(text)
  if (instant === undefined) throw new InvalidArgumentError('a date is written like 2027-01-31 or 2027-01-31T12:00:00Z')
  return instant
}

function createFor(options: CreateOptions): Promise<void> {
  return withOwnStore(options, async (store) => {
    const { id: user_id } = await getUserByEmail(store.reader, options.email)
    const { name: description, scope, expires: expires_at } = options
    if (expires_at !== undefined && expires_at <= toInstant(systemClock.now())) throw new WorkFailed('The token would already have ended.')
    print(await store.transact(cliActor(user_id), (tx) => createToken(tx, { user_id, description, scopes: scope, expires_at })))
  })
}

function revokeById(id: number, options: DataOption): Promise<void> {
  return withOwnStore(options, async (store) => {
    const token = await findToken(store.reader, id)
    if (!token) throw new WorkFailed(`There is no valid token ${id}.`)
    await store.transact(cliActor(token.user_id), (tx) => revokeApiToken(tx, token))
    print({ token_id: id, revoked: true })
  })
}

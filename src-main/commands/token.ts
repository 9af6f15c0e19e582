import { Command } from 'commander'
import { findToken, listTokens } from '../store/core/instance-reader'
import { revokeApiToken } from '../store/records/users/user-writer'
import { createToken } from '../use-cases/users/create-token'
import {
  type DataOption,
  WorkFailed,
  cliActor,
  dataCommand,
  getUserByEmail,
  print,
  toEmail,
  toId,
  withOwnStore,
  withStore,
} from './command-context'

interface CreateOptions extends DataOption {
  readonly email: string
}

/** `outlay token create | list | revoke`: the API tokens of an instance. A token is shown once, when it is made. */
export function tokenCommand(): Command {
  const create = dataCommand('create', 'Create an API token for a user')
    .requiredOption('--email <address>', "the user's e-mail address", toEmail)
    .action(createFor)
  const list = dataCommand('list', 'List the valid API tokens').action((options: DataOption) =>
    withStore(options, async ({ reader }) => print({ tokens: await listTokens(reader) })),
  )
  const revoke = dataCommand('revoke', 'Revoke an API token').argument('<id>', 'its id', toId).action(revokeById)
  return new Command('token').description('API tokens').addCommand(create).addCommand(list).addCommand(revoke)
}

function createFor(options: CreateOptions): Promise<void> {
  return withOwnStore(options, async (store) => {
    const { id: user_id } = await getUserByEmail(store.reader, options.email)
    print(await store.transact(cliActor(user_id), (tx) => createToken(tx, { user_id, description: 'outlay token create' })))
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

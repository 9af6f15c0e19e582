import type { Command } from 'commander'
import { Option } from 'commander'
import { type Role, roles } from '#shared/domain/roles'
import { deleteOpenIdLinks } from '../store/records/users/openid-links'
import { erasePerson } from '../use-cases/memberships/erase-person'
import { addUser } from '../use-cases/users/add-user'
import { cliActor, getAdmin, getOrganization, getUserByEmail, toEmail, toId, toText, withOwnStore } from './command-context'
import { type DataOption, dataCommand, print } from './data-command'

interface AddOptions extends DataOption {
  readonly organization: number
  readonly name: string
  readonly email: string
  readonly role: Role
}

interface EraseOptions extends DataOption {
  readonly organization: number
  readonly name: string
}

/**
 * `outlay user add`: adds a user with a membership and a token. `outlay user erase`: erases a person's name, addresses and picture. `outlay user
 * unlink`: unlinks a user's account at an OpenID provider.
 */
export function userCommand(command: Command): Command {
  const add = dataCommand('add', 'Add a user to an organization')
    .requiredOption('--organization <id>', 'the organization', toId)
    .requiredOption('--name <full name>', 'their name', toText)
    .requiredOption('--email <address>', 'their e-mail address', toEmail)
    .addOption(new Option('--role <role>', 'what they may do').choices(roles).default('member'))
    .action((options: AddOptions) =>
      withOwnStore(options, async (store) => {
        await getOrganization(store.reader, options.organization)
        const admin = await getAdmin(store.reader, options.organization)
        print(await store.transact(cliActor(admin.id), (tx) => addUser(tx, { ...options, organization_id: options.organization })))
      }),
    )
  const erase = dataCommand('erase', 'Erase the name, addresses and picture of a person, for good')
    .argument('<id>', 'the id of the user', toId)
    .requiredOption('--organization <id>', 'an organization that they belong or belonged to', toId)
    .requiredOption('--name <full name>', 'their whole name, as confirmation', toText)
    .action((user_id: number, options: EraseOptions) =>
      withOwnStore(options, async (store) => {
        const { organization: organization_id, name } = options
        await getOrganization(store.reader, organization_id)
        const admin = await getAdmin(store.reader, organization_id)
        const person = { organization_id, user_id, name, isOperator: true } as const
        await store.transact(cliActor(admin.id), (tx) => erasePerson(tx, person))
        print({ user_id, erased: true })
      }),
    )
  const unlink = dataCommand('unlink', 'Let the next sign-in with OpenID Connect connect another account with a user')
    .requiredOption('--email <address>', "the user's e-mail address", toEmail)
    .action((options: DataOption & { readonly email: string }) =>
      withOwnStore(options, async (store) => {
        const { id: user_id } = await getUserByEmail(store.reader, options.email)
        print({ user_id, unlinked: await store.transact(cliActor(user_id), (tx) => deleteOpenIdLinks(tx, user_id)) })
      }),
    )
  return command.addCommand(add).addCommand(erase).addCommand(unlink)
}

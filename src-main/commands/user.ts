import { Command, Option } from 'commander'
import { type Role, roles } from '#shared/domain/roles'
import { addUser } from '../use-cases/users/add-user'
import {
  type DataOption,
  cliActor,
  dataCommand,
  getAdmin,
  getOrganization,
  print,
  toEmail,
  toId,
  toText,
  withOwnStore,
} from './command-context'

interface AddOptions extends DataOption {
  readonly organization: number
  readonly name: string
  readonly email: string
  readonly role: Role
}

/** `outlay user add`: a user, their membership and a token for them. */
export function userCommand(): Command {
  const add = dataCommand('add', 'Add a user to an organization')
    .requiredOption('--organization <id>', 'the organization', toId)
    .requiredOption('--name <full name>', 'their name', toText)
    .requiredOption('--email <address>', 'their e-mail address', toEmail)
    .addOption(new Option('--role <role>', 'what they may do').choices(roles).default('member'))
    .action((options: AddOptions) =>
      withOwnStore(options, async (store) => {
        await getOrganization(store.reader, options.organization)
        const admin = await getAdmin(store.reader, options.organization)
        print(
          await store.transact(cliActor(admin.id), (tx) => addUser(tx, { ...options, organization_id: options.organization })),
        )
      }),
    )
  return new Command('user').description('Users').addCommand(add)
}

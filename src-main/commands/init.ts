import { type Command, Option } from 'commander'
import { type Language, defaultLanguage, languages } from '#shared/domain/locales'
import { systemClock } from '../clock'
import { readOrMakeVapidKeys } from '../use-cases/notifications/read-or-make-vapid-keys'
import { foundOrganization } from '../use-cases/organizations/organizations'
import { findLocalUser } from '../store/records/users/user-reader'
import { createToken } from '../use-cases/users/tokens'
import { cliActor, dataFolderOf, toCurrency, toEmail, toText, assertNoReplica, withStoreOf } from './command-context'
import { type DataOption, WorkFailed, print } from './data-command'

interface InitOptions extends DataOption {
  readonly organization: string
  readonly name: string
  readonly email: string
  readonly currency: string
  readonly locale: Language
  readonly add?: true
}

/** `outlay init`: creates the folder, its first organization and its admin. */
export function initCommand(command: Command): Command {
  return command
    .requiredOption('--organization <name>', 'name of the organization', toText)
    .requiredOption('--name <full name>', 'name of its admin', toText)
    .requiredOption('--email <address>', 'e-mail address of its admin', toEmail)
    .option('--currency <code>', 'default currency, ISO 4217', toCurrency, 'BRL')
    .addOption(new Option('--locale <code>', 'language of its admin').choices(languages).default(defaultLanguage))
    .option('--add', 'add an organization to a folder that has one')
    .action(init)
}

async function init({ organization, name, email, currency: default_currency, locale, add, ...options }: InitOptions): Promise<void> {
  const folder = dataFolderOf(options)
  const result = await withStoreOf(folder, async (store) => {
    await assertNoReplica(store)
    const made = await store.transact(cliActor(0), async (tx) => {
      if (!add && (await findLocalUser(tx))) throw new WorkFailed(`${folder} already holds an organization. Add another with --add.`)
      const admin = { name, email, default_currency, locale, timezone: 'Etc/UTC' }
      const founded = await foundOrganization(tx, { organization, admin })
      const { token } = await createToken(founded.tx, { user_id: founded.user.id, description: 'outlay init' })
      return { organization_id: founded.organization.id, user_id: founded.user.id, token }
    })
    await readOrMakeVapidKeys(store, systemClock)
    return made
  })
  print(result)
}

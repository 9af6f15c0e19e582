import { Command } from 'commander'
import { z } from 'zod'
import { isCurrency } from '#shared/domain/currencies'
import { systemClock } from '../clock'
import { hasDatabase } from '../store/database'
import { Store } from '../store/store'
import { foundOrganization } from '../use-cases/organizations/found-organization'
import { createToken } from '../use-cases/users/create-token'
import { CallRefused, WorkFailed, cliActor, dataFolderOf, print } from './command-context'

const options = z.object({
  data: z.string().optional(),
  organization: z.string().trim().min(1),
  name: z.string().trim().min(1),
  email: z.email(),
  currency: z.string().refine(isCurrency),
  locale: z.enum(['en', 'pt']),
  add: z.boolean().optional(),
})

/** `outlay init`: the folder, its first organization and its admin. */
export function initCommand(): Command {
  return new Command('init')
    .description('Make the data folder, its first organization and its admin')
    .requiredOption('--organization <name>', 'name of the organization')
    .requiredOption('--name <full name>', 'name of its admin')
    .requiredOption('--email <address>', 'e-mail address of its admin')
    .option('--currency <code>', 'default currency, ISO 4217', 'BRL')
    .option('--locale <code>', 'en or pt', 'en')
    .option('--add', 'add an organization to a folder that has one')
    .option('--data <folder>', 'data folder')
    .action(init)
}

async function init(given: unknown): Promise<void> {
  const parsed = options.safeParse(given)
  if (!parsed.success) throw new CallRefused(`--${String(parsed.error.issues[0]?.path[0])} is not valid (see "outlay init --help")`)
  const { organization, name, email, currency: default_currency, locale, add } = parsed.data
  const folder = dataFolderOf(parsed.data)
  if (hasDatabase(folder) && !add) throw new WorkFailed(`${folder} already holds an organization. Add another with --add.`)
  const store = await Store.open(folder, { clock: systemClock, isOwner: false })
  try {
    const result = await store.transact(cliActor(0), async (tx) => {
      const admin = { name, email, default_currency, locale, timezone: 'Etc/UTC' }
      const founded = await foundOrganization(tx, { organization, admin })
      const { token } = await createToken(founded.tx, { user_id: founded.user.id, description: 'outlay init' })
      return { organization_id: founded.organization.id, user_id: founded.user.id, token }
    })
    print(result)
  } finally {
    await store.close()
  }
}

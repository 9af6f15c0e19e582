import type { Command } from 'commander'
import { setExpiry } from '../use-cases/organizations/organizations'
import { cliActor, getAdmin, getOrganization, toId, withOwnStore } from './command-context'
import { type DataOption, dataCommand, print } from './data-command'

/** `outlay organization expire | renew`: sets the contract's read-only state (section 4.0). */
export function organizationCommand(command: Command): Command {
  const change = (name: string, description: string, expired: boolean) =>
    dataCommand(name, description)
      .argument('<id>', 'its id', toId)
      .action((id: number, options: DataOption) => run(id, options, expired))
  return command
    .addCommand(change('expire', 'Make an organization read-only', true))
    .addCommand(change('renew', 'Make an expired organization writable again', false))
}

function run(organization_id: number, options: DataOption, expired: boolean): Promise<void> {
  return withOwnStore(options, async (store) => {
    await getOrganization(store.reader, organization_id)
    const admin = await getAdmin(store.reader, organization_id)
    const { id, uid, name, created_at, updated_at, expired_at } = await store.transact(cliActor(admin.id), (tx) =>
      setExpiry(tx, organization_id, expired),
    )
    print({ id, uid, name, created_at, updated_at, expired: expired_at !== null })
  })
}

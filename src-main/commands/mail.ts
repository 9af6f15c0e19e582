import type { Command } from 'commander'
import { listUntakenMails } from '../store/records/files/received-mails'
import { withStore } from './command-context'
import { type DataOption, dataCommand, print } from './data-command'

/** `outlay mail list`: lists messages in the receipts mailbox without a recipient here, newest first. */
export function mailCommand(command: Command): Command {
  const list = dataCommand('list', 'List the last 100 mails with receipts that went to nobody').action((options: DataOption) =>
    withStore(options, async ({ reader }) => {
      const mails = await listUntakenMails(reader)
      print({ mails: mails.map(({ id, sender, subject, reason, received_at }) => ({ id, sender, subject, reason, received_at })) })
    }),
  )
  return command.addCommand(list)
}

import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'
import { createParts } from '../app'
import { readSettings } from '../config/settings'
import type { Parts } from '../app'
import { dataFolderOf, existingFolderOf, openStoreOf } from './command-context'
import { type DataOption, WorkFailed, dataCommand, print, tell } from './data-command'

/** The environment variable of the token, which neither the shell's history nor the process list shows. */
const tokenVariable = 'OUTLAY_REMOTE_TOKEN'

function toUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw new InvalidArgumentError('the address of an instance begins with http:// or https://')
  return text
}

/** Opens a folder as a replica for a command; a server may be running on it. */
export async function withParts<T>(folder: string, work: (parts: Parts) => Promise<T>): Promise<T> {
  const store = await openStoreOf(folder)
  try {
    // A command reports its result; it logs only if the operator asks.
    const settings = readSettings(folder, { OUTLAY_LOG: 'silent', ...process.env })
    const parts = await createParts(store, { data_folder: folder, settings, web_folder: null })
    try {
      return await work(parts)
    } finally {
      await parts.close()
    }
  } finally {
    await store.close()
  }
}

/** `outlay remote set|show|clear`: sets the remote of which the data folder is a replica. */
export function remoteCommand(command: Command): Command {
  return command
    .addCommand(
      dataCommand('set', 'Name the remote instance and sign in to it')
        .argument('<url>', 'address of the remote instance', toUrl)
        .addOption(
          new Option('--token <token>', 'API token of the user whose replica this is; - reads it from standard input')
            .env(tokenVariable)
            .makeOptionMandatory(),
        )
        .action(set),
    )
    .addCommand(dataCommand('show', 'Show the remote and the sync status').action(show))
    .addCommand(dataCommand('clear', 'Stop being a replica; the data stays').action(clear))
}

async function set(url: string, options: DataOption & { token: string }, command: Command): Promise<void> {
  const token = await readToken(options.token, command)
  await withParts(dataFolderOf(options), async ({ replica }) => {
    const outcome = await replica.connect({ url, token })
    if (outcome.kind === 'failed') throw new WorkFailed(explain(outcome.failure, outcome.message, url))
    print(await replica.state())
  })
}

async function readToken(given: string, command: Command): Promise<string> {
  if (given !== '-') {
    if (command.getOptionValueSource('token') === 'cli')
      tell(`A token in a command stays in the shell's history. Set ${tokenVariable}, or send the token to --token - instead.`)
    return given.trim()
  }
  const token = (await text(process.stdin)).trim()
  if (token === '') throw new WorkFailed('Standard input holds no token.')
  return token
}

function explain(failure: string, message: string, url: string): string {
  if (failure === 'unauthorized') return `${url} does not know this token. Make one there with "outlay token create".`
  if (failure === 'unreachable') return `${url} cannot be reached: ${message}. Nothing was changed.`
  if (failure === 'unreadable') return `The server at ${url} is not Outlay: ${message}`
  return message
}

async function show(options: DataOption): Promise<void> {
  await withParts(existingFolderOf(options), async ({ replica }) => print(await replica.state()))
}

async function clear(options: DataOption): Promise<void> {
  await withParts(existingFolderOf(options), async ({ replica }) => {
    await replica.disconnect('keep')
    print(await replica.state())
  })
}

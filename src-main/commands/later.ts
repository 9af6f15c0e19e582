import { Command } from 'commander'
import { WorkFailed } from './command-context'

const later = [
  ['remote', 'Make this folder a replica of a remote instance'],
  ['sync', 'Exchange changes with the remote instance'],
] as const

/** Commands that are named and not there yet: they say so, whatever they are called with, and change nothing. */
export function laterCommands(): Command[] {
  return later.map(([name, description]) =>
    new Command(name)
      .description(`${description} (not available yet)`)
      .argument('[words...]')
      .allowUnknownOption()
      .action(() => {
        throw new WorkFailed(`"outlay ${name}" is not available yet.`)
      }),
  )
}

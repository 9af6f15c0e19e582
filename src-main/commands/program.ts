import { Command, CommanderError } from 'commander'
import { Refused } from '#shared/domain/errors'
import { SettingsRefused } from '../config/settings'
import { DatabaseRefused } from '../store/database'
import { version } from '../config/version'
import { CallRefused, WorkFailed } from './command-context'
import { initCommand } from './init'
import { serveCommand } from './serve'

/** Runs the command line (docs: README, "Command line"); answers the exit code: 0 done, 1 the work failed, 2 the call was wrong. */
export async function run(argv: readonly string[]): Promise<number> {
  const program = new Command('outlay')
    .description('Business expenses: record, review and settle them.')
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .showHelpAfterError(false)
  for (const command of [serveCommand(), initCommand()]) program.addCommand(command.exitOverride().configureOutput({ outputError: () => undefined }))
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return 0
  } catch (error) {
    return explain(error)
  }
}

function explain(error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  if (error instanceof CommanderError) return say(`${error.message.replace(/^error: /, '')} (see "outlay --help")`, 2)
  if (error instanceof CallRefused) return say(error.message, 2)
  if (error instanceof WorkFailed || error instanceof DatabaseRefused || error instanceof SettingsRefused) return say(error.message, 1)
  if (error instanceof Refused) return say(`Refused: ${JSON.stringify(error.refusal)}`, 1)
  return say(error instanceof Error ? (error.stack ?? error.message) : String(error), 1)
}

function say(message: string, code: number): number {
  process.stderr.write(`${message}\n`)
  return code
}

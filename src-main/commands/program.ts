import { Command, CommanderError } from 'commander'
import { DomainError } from '#shared/domain/errors'
import { isDiskFull } from '#shared/domain/out-of-room'
import { SettingsError } from '../config/settings'
import { BucketUnreachable } from '../files/bucket'
import { BucketOfAnother } from '../files/bucket-store/owner-mark'
import { StartFault } from '../snapshots/start-fault'
import { DatabaseError } from '../store/core/database-error'
import { version } from '../config/version'
import { CallError, WorkFailed, tell } from './command-context'
import { auditCommand } from './audit'
import { backupCommand } from './backup'
import { migrateDatabaseCommand } from './migrate-database'
import { demoCommand } from './demo'
import { doctorCommand } from './doctor'
import { filesCommand } from './files'
import { exportCommand } from './export-expenses'
import { importCommand } from './import-expenses'
import { initCommand } from './init'
import { mailCommand } from './mail'
import { organizationCommand } from './organization'
import { remoteCommand } from './remote'
import { restoreCommand } from './restore'
import { serveCommand } from './serve'
import { syncCommand } from './sync'
import { tokenCommand } from './token'
import { userCommand } from './user'
import { wordRefusal } from './wording'

/** Runs the command line (docs/command-line.md); returns the exit code: 0 done, 1 the work failed, 2 invalid usage. */
export async function run(argv: readonly string[]): Promise<number> {
  const program = createProgram()
  if (argv.length === 0) return say(program.helpInformation().trimEnd(), 2)
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : say(wordCall(program, argv, error), 2)
    return explain(error)
  }
}

function createProgram(): Command {
  const program = new Command('outlay').description('Business expenses: record, review and settle them.').version(version)
  const instance = [serveCommand(), initCommand(), demoCommand()]
  const people = [userCommand(), tokenCommand(), organizationCommand(), mailCommand()]
  const data = [
    importCommand(),
    exportCommand(),
    backupCommand(),
    migrateDatabaseCommand(),
    restoreCommand(),
    doctorCommand(),
    auditCommand(),
    filesCommand(),
  ]
  const replica = [remoteCommand(), syncCommand()]
  for (const command of [...instance, ...people, ...data, ...replica]) program.addCommand(command)
  silence(program)
  return program
}

/** Stops commander from printing errors: {@link run} does. */
function silence(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => undefined, writeErr: () => undefined })
  for (const child of command.commands) silence(child)
}

/** What is wrong with the call, and its usage, in one line. */
function wordCall(program: Command, argv: readonly string[], error: CommanderError): string {
  let command = program
  let name = program.name()
  for (const word of argv) {
    const child = command.commands.find((one) => one.name() === word)
    if (!child) break
    command = child
    name += ` ${word}`
  }
  const needed = command.commands.map((one) => one.name()).join(', ')
  const problem =
    error.code === 'commander.help'
      ? `"${name}" needs a command: ${needed}`
      : error.message
          .replace(/^error: /, '')
          .replace(/\s*\n\s*/g, ' ')
          .replace(/\.+$/, '')
  return `${problem}. Call it as: ${name} ${command.usage()} (see "${name} --help")`
}

function explain(error: unknown): number {
  if (error instanceof CallError) return say(error.message, 2)
  const isRefused = [DatabaseError, SettingsError, StartFault, BucketUnreachable, BucketOfAnother].some((kind) => error instanceof kind)
  if (error instanceof Error && (error instanceof WorkFailed || isRefused)) return say(error.message, 1)
  if (error instanceof DomainError) return say(wordRefusal(error.refusal), 1)
  const system = error instanceof Error ? explainSystem(error) : undefined
  return say(system ?? (error instanceof Error ? (error.stack ?? error.message) : String(error)), 1)
}

/** A system error in one line; undefined for a fault of ours, which is printed with its stack. */
function explainSystem(error: Error): string | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code.startsWith('SQLITE_BUSY')) return 'Another program has been writing to the data folder for too long. Try again.'
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB')
    return `The database is damaged (${error.message}). Run "outlay doctor" to see more.`
  if (isDiskFull(error)) return `The disk is full: make room, then do it again (${error.message}).`
  if (/^SQLITE_(CANTOPEN|READONLY|IOERR)/.test(code)) return `The database cannot be written: ${error.message}.`
  return 'syscall' in error ? error.message : undefined
}

function say(message: string, code: number): number {
  tell(message)
  return code
}

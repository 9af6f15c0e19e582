import { Command, CommanderError } from 'commander'
import { version } from '../config/version'
import { dataCommand, tell } from './data-command'

type Define = (command: Command) => Command

const group = (name: string, description: string) => new Command(name).description(description)

/** In the order of the help. A command is loaded when it is called: none waits for the libraries of another. */
const commands = (): readonly (readonly [command: Command, load: () => Promise<Define>])[] => [
  [dataCommand('serve', 'Serve the API and the web application'), async () => (await import('./serve')).serveCommand],
  [dataCommand('init', 'Create the data folder, its first organization and its admin'), async () => (await import('./init')).initCommand],
  [dataCommand('demo', 'Create a data folder with a small believable organization'), async () => (await import('./demo')).demoCommand],
  [group('user', 'Users'), async () => (await import('./user')).userCommand],
  [group('token', 'API tokens'), async () => (await import('./token')).tokenCommand],
  [group('organization', 'Organizations'), async () => (await import('./organization')).organizationCommand],
  [group('mail', 'The mailbox of receipts'), async () => (await import('./mail')).mailCommand],
  [group('import', 'Read records from a file'), async () => (await import('./import-expenses')).importCommand],
  [group('export', 'Write records to a file'), async () => (await import('./export-expenses')).exportCommand],
  [
    dataCommand('backup', 'Copy the data folder into one file, while it is served').argument('<file>', 'the new file'),
    async () => (await import('./backup')).backupCommand,
  ],
  [
    dataCommand('migrate-database', 'Copy the data of a folder to PostgreSQL (OUTLAY_DATABASE_URL), and compare every row'),
    async () => (await import('./migrate-database')).migrateDatabaseCommand,
  ],
  [
    dataCommand('restore', 'Restore the data folder from a backup or a snapshot').argument(
      '<file>',
      'the backup, or a snapshot of the database',
    ),
    async () => (await import('./restore')).restoreCommand,
  ],
  [dataCommand('doctor', 'Check the data folder'), async () => (await import('./doctor')).doctorCommand],
  [group('audit', 'Verify the audit trail, or export it for an auditor'), async () => (await import('./audit')).auditCommand],
  [group('files', 'Copy uploaded files between the data folder and a bucket'), async () => (await import('./files')).filesCommand],
  [group('remote', 'Make this folder a replica of a remote instance'), async () => (await import('./remote')).remoteCommand],
  [dataCommand('sync', 'Exchange changes with the remote instance'), async () => (await import('./sync')).syncCommand],
]

/** Runs the command line (docs/command-line.md); returns the exit code: 0 done, 1 the work failed, 2 invalid usage. */
export async function run(argv: readonly string[]): Promise<number> {
  const program = await createProgram(argv)
  if (argv.length === 0) return say(program.helpInformation().trimEnd(), 2)
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : say(wordCall(program, argv, error), 2)
    // Loaded here: what can fail is most of the program.
    const { message, code } = (await import('./wording')).explainFailure(error)
    return say(message, code)
  }
}

async function createProgram(argv: readonly string[]): Promise<Command> {
  const program = new Command('outlay').description('Business expenses: record, review and settle them.').version(version)
  const all = commands()
  for (const [command] of all) program.addCommand(command)
  const called = argv.map((word) => all.find(([command]) => command.name() === word)).find((one) => one !== undefined)
  if (called) {
    const [command, load] = called
    const define = await load()
    define(command)
  }
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

function say(message: string, code: number): number {
  tell(message)
  return code
}

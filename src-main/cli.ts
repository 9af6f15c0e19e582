import { run } from './commands/program'

// What it writes is for this user alone.
process.umask(0o077)
process.exitCode = await run(process.argv.slice(2))

import { keepCompiledCode } from './config/compiled-code'

// Files that it writes are for this user alone.
process.umask(0o077)
keepCompiledCode()
// Loaded here: earlier modules would be compiled at each start.
const { run } = await import('./commands/program')
process.exitCode = await run(process.argv.slice(2))

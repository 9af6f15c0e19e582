import { keepCompiledCode } from './config/compiled-code'

// What it writes is for this user alone.
process.umask(0o077)
keepCompiledCode()
// Loaded here: what is loaded before is compiled at each start.
const { run } = await import('./commands/program')
process.exitCode = await run(process.argv.slice(2))

/**
 * Node's HTTP without an `import`, which would evaluate every export of the module; the one for web sockets loads a whole client, a tenth of the
 * startup time.
 */
export const { Agent, createServer, request } = process.getBuiltinModule('node:http')

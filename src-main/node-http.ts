/**
 * Node's HTTP, without an `import` of it: that reads every export of the module when it is loaded, and the one for web sockets
 * loads a whole client, a tenth of a start.
 */
export const { Agent, createServer, request } = process.getBuiltinModule('node:http')

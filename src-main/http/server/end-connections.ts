import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const sweepMs = 25

/**
 * Lets a server that ends close every connection that no request is running on, as soon as that is so: also those whose last request has just ended, and
 * those that a browser opened to have one at hand, which Node counts as requests that are still to arrive.
 */
export function endConnections(app: FastifyInstance): void {
  const { server } = app
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const sweep = () => {
    server.closeIdleConnections()
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
  app.addHook('preClose', (done) => {
    if (server.listening) {
      const sweeping = setInterval(sweep, sweepMs)
      server.once('close', () => clearInterval(sweeping))
    }
    done()
  })
}

import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const sweepMs = 25

/**
 * Makes a closing server close every connection without a running request as soon as possible, including those whose last request just ended and idle
 * ones that a browser opened in advance, which Node counts as pending requests.
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

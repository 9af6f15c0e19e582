// The servers of one process have their files inspected by the same processes: each takes a second and more of a processor to start, and keeps nothing
// of a file. A server gives back what it would kill, unless it is still starting or a file is being inspected in it.
import childProcess from 'node:child_process'
import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'

const { fork } = childProcess
const spare = []

class Lent extends EventEmitter {
  channel = { ref: () => undefined, unref: () => undefined }
  #child
  /** It is starting, or inspects a file: what it says next is not for the server that has it then. */
  #isBusy
  #isGivenBack = false
  #onMessage = (message) => {
    this.#isBusy = false
    this.emit('message', message)
  }
  #onExit = (code, signal) => this.emit('exit', code, signal)

  constructor(child, isReady) {
    super()
    this.#child = child
    this.#isBusy = !isReady
    child.on('message', this.#onMessage).on('exit', this.#onExit)
    // The first message of each says that it is ready.
    if (isReady) setImmediate(() => this.emit('message', { kind: 'ready' }))
  }

  ref() {}
  unref() {}

  send(message, sent) {
    // A server that closes while it waits for a process sends all the same: the answer would go to who has the process by then.
    if (this.#isGivenBack) return false
    this.#isBusy = true
    return this.#child.send(message, sent)
  }

  kill(signal) {
    if (this.#isBusy || !this.#child.connected) return this.#child.kill(signal)
    // It is killed again by the task that its end cut short: given back twice, two servers would have it at the same time.
    if (this.#isGivenBack) return true
    this.#isGivenBack = true
    this.#child.off('message', this.#onMessage).off('exit', this.#onExit)
    spare.push(this.#child)
    setImmediate(() => this.emit('exit', null, signal))
    return true
  }
}

childProcess.fork = (file, ...options) => {
  if (!String(file).includes('inspect-worker')) return fork(file, ...options)
  const free = spare.splice(0).filter((child) => child.connected)
  const child = free.pop()
  spare.push(...free)
  return new Lent(child ?? fork(file, ...options), child !== undefined)
}
syncBuiltinESMExports()

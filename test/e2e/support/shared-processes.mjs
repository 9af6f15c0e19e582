// The servers of one process have their files inspected, their lines matched and their databases read by the same processes: each takes up to a second of
// a processor to start, and keeps nothing but its database, which it closes. A server gives back what it would kill, unless that is starting or has a task.
import childProcess from 'node:child_process'
import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'

const { fork } = childProcess
const programs = ['inspect-worker', 'match-worker', 'read-worker']
const spare = Object.fromEntries(programs.map((program) => [program, []]))

class Lent extends EventEmitter {
  channel = { ref: () => undefined, unref: () => undefined }
  #child
  #program
  /** It is starting, or has a task: what it says next is not for the server that has it then. */
  #isBusy
  #isGivenBack = false
  #onMessage = (message) => {
    this.#isBusy = false
    this.emit('message', message)
  }
  #onExit = (code, signal) => this.emit('exit', code, signal)

  constructor(child, { program, isReady }) {
    super()
    this.#child = child
    this.#program = program
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
    const rest = () => {
      spare[this.#program].push(this.#child)
      this.emit('exit', null, signal)
    }
    if (this.#program === 'read-worker') this.#closeDatabase(rest, signal)
    else setImmediate(rest)
    return true
  }

  #closeDatabase(closed, signal) {
    const onExit = () => this.emit('exit', null, signal)
    this.#child.once('exit', onExit).once('message', () => {
      this.#child.off('exit', onExit)
      closed()
    })
    this.#child.send({ name: 'close', task: null })
  }
}

childProcess.fork = (file, ...options) => {
  const program = programs.find((name) => String(file).includes(name))
  if (program === undefined) return fork(file, ...options)
  const free = spare[program].splice(0).filter((child) => child.connected)
  const child = free.pop()
  spare[program].push(...free)
  return new Lent(child ?? fork(file, ...options), { program, isReady: child !== undefined })
}
syncBuiltinESMExports()

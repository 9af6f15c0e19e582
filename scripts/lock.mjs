import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 100
const patienceMs = 15 * 60_000

/**
 * Runs `work` while no other process runs work under the same lock folder. The folder holds one file named after its
 * owner's process id, and appears with it in one step, so a lock without an owner is only ever one being removed.
 */
export async function withLock(folder, work) {
  await acquire(folder)
  const onExit = () => release(folder, process.pid)
  process.once('exit', onExit)
  try {
    return await work()
  } finally {
    process.off('exit', onExit)
    onExit()
  }
}

async function acquire(folder) {
  const giveUpAt = Date.now() + patienceMs
  let told = false
  while (!tryAcquire(folder)) {
    const owner = ownerOf(folder)
    // Removing the file of that very owner can succeed once only, so two takers never remove each other's lock.
    if (owner !== undefined && !isAlive(owner)) release(folder, owner)
    else await sleep(pollMs)
    if (owner !== undefined && !told && isAlive(owner)) {
      process.stderr.write(`Waiting for process ${owner}, which is preparing Outlay…\n`)
      told = true
    }
    if (Date.now() > giveUpAt)
      throw new Error(`Process ${owner} still holds ${folder}. If it is not an Outlay command, remove that folder.`)
  }
}

function tryAcquire(folder) {
  mkdirSync(dirname(folder), { recursive: true })
  const candidate = mkdtempSync(`${folder}-`)
  writeFileSync(join(candidate, String(process.pid)), '')
  try {
    renameSync(candidate, folder)
    return true
  } catch {
    rmSync(candidate, { recursive: true, force: true })
    removeEmpty(folder)
    return false
  }
}

function release(folder, owner) {
  try {
    unlinkSync(join(folder, String(owner)))
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  removeEmpty(folder)
}

function removeEmpty(folder) {
  try {
    rmdirSync(folder)
  } catch {
    // Another process holds it, or it is gone already: both are what the next attempt finds out.
  }
}

function ownerOf(folder) {
  try {
    const [name] = readdirSync(folder)
    return name === undefined ? undefined : Number(name)
  } catch {
    return undefined
  }
}

/** Whether a process of this id runs. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

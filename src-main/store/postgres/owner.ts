import pg from 'pg'
import { DatabaseError } from '../core/database-error'
import { connectionTo, keepAlive } from './session'

/** A number of our own for the lock of the one server that runs on a database. */
const ownerLock = 4870_0002
const againMs = 1_000
const channel = 'outlay_commits'

/** Says to the server, after a commit, that someone else has committed. */
export const tellOwner = `NOTIFY ${channel}`

/** The server that runs on a database. */
export interface Owner {
  readonly token: string
  leave(): Promise<void>
}

interface Owning {
  /** What names this server: every transaction looks whether it is the owner still. */
  readonly token: string
  /** Called after each commit of another process. */
  readonly onCommit: () => void
}

/**
 * Makes a server the owner of a database for as long as it runs: another is refused. A connection that breaks is made again; a server
 * that was replaced meanwhile writes nothing any more, since its token is no longer the owner's. Throws {@link DatabaseError} `in_use`.
 */
export async function becomeOwner(url: string, { token, onCommit }: Owning): Promise<Owner> {
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  let client = await connect()
  await client.query('UPDATE log_head SET owner = $1 WHERE id = 1', [token])

  async function connect(): Promise<pg.Client> {
    const made = new pg.Client({ ...connectionTo(url), application_name: 'outlay owner', keepAlive: true })
    let isHeld = false
    made.on('error', () => isHeld && again())
    made.on('notification', onCommit)
    await made.connect()
    await made.query(keepAlive)
    const { rows } = await made.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${ownerLock}) AS taken`)
    if (rows[0]?.taken !== true) {
      await made.end()
      throw new DatabaseError('in_use', 'Another Outlay is already serving this database.')
    }
    await made.query(`LISTEN ${channel}`)
    isHeld = true
    return made
  }
  function again(): void {
    if (isOver) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      connect().then((made) => {
        client = made
        // What was committed meanwhile was not heard.
        onCommit()
      }, again)
    }, againMs).unref()
  }
  const leave = async () => {
    isOver = true
    clearTimeout(timer)
    await client.end()
  }
  return { token, leave }
}

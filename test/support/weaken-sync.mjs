// `node --import weaken-sync.mjs PROGRAM`: the program believes that SQLite keeps synchronous=FULL, and it keeps $WEAK_SYNC instead.
// A control: what the tests of power cuts hold must fail with it.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const Database = createRequire(join(process.cwd(), 'package.json'))('better-sqlite3')
const { pragma } = Database.prototype
const level = process.env.WEAK_SYNC ?? 'FULL'
Database.prototype.pragma = function weakened(text, options) {
  if (text === 'synchronous = FULL') return pragma.call(this, `synchronous = ${level}`, options)
  if (text === 'synchronous') return 2
  return pragma.call(this, text, options)
}

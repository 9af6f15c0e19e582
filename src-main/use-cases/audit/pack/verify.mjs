// Verifies an auditor's pack of Outlay with nothing but Node (18 or later) and the pack itself. It opens no connection and writes nothing.
//
//   node verify.mjs [FOLDER] [--head HEX]... [--key BASE64]...
//
// FOLDER: the unpacked pack; without it, the folder of this script. --head: a head of the chain that you were sent or keep; it must be in the
// pack. --key: a public key that you trust; without it, the one in the pack. Exit 0: everything agrees; 1: it does not; 2: wrong call.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const noHead = '0'.repeat(64)

/** @param {...(string | Uint8Array)} parts */
function sha256(...parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The hash of a list of values: of its JSON, without spaces. */
const hashOf = (/** @type {unknown[]} */ values) => sha256(JSON.stringify(values)).toString('hex')

/** The three hashes of an entry: who did what to which record, the old and new values, and what concerns the instance. */
function leafOf(entry) {
  const { id, uid, organization_id, user_id, subject_type, subject_id, source_type, source_id, event } = entry
  const subject = [subject_type, subject_id, source_type, source_id]
  const facts = hashOf(['facts', id, uid, organization_id, user_id, ...subject, event, entry.occurred_at, entry.created_at])
  const details = entry.details_hash ?? hashOf(['details', uid, entry.details])
  const rest = hashOf(['rest', uid, entry.origin, entry.request_id, entry.file, entry.details_hash !== null])
  return sha256(Uint8Array.of(0), ...[facts, details, rest].map((text) => Buffer.from(text, 'hex')))
}

/** The root of the tree of leaves (RFC 6962): pairs are hashed level by level; one without a neighbour moves up. */
function rootOf(leaves) {
  let level = leaves
  while (level.length > 1) {
    const above = []
    for (let at = 0; at < level.length; at += 2)
      above.push(at + 1 < level.length ? sha256(Uint8Array.of(1), level[at], level[at + 1]) : level[at])
    level = above
  }
  return level.length === 0 ? noHead : level[0].toString('hex')
}

/** The bytes of a seal that are signed, and whose SHA-256 is the head. */
function statementOf(seal) {
  const { organization_id, number, first_id, last_id, entries, total, root, previous, sealed_at, public_key } = seal
  const facts = [organization_id, number, first_id, last_id, entries, total, root, previous, sealed_at, public_key]
  return Buffer.from(JSON.stringify(['outlay-seal-1', ...facts]))
}

function isSignedBy(public_key, bytes, signature) {
  try {
    // The same bytes can be spelled in several ways: only one is right.
    if (Buffer.from(signature, 'base64').toString('base64') !== signature) return false
    const key = createPublicKey({ key: Buffer.from(public_key, 'base64'), format: 'der', type: 'spki' })
    return verify(null, bytes, key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

const sealKeys = [
  'organization_id',
  'number',
  'first_id',
  'last_id',
  'entries',
  'total',
  'root',
  'previous',
  'sealed_at',
  'public_key',
  'signature',
  'head',
]
const entryKeys = [
  'seal',
  'id',
  'uid',
  'organization_id',
  'user_id',
  'subject_type',
  'subject_id',
  'source_type',
  'source_id',
  'event',
  'details',
]
entryKeys.push('origin', 'request_id', 'occurred_at', 'created_at', 'file', 'salt', 'details_hash')

/** The values of a file with one JSON value a line, each written in the one way that a pack has. */
function linesOf(bytes, keys) {
  const lines = bytes.toString('utf8').split('\n')
  if (lines.pop() !== '' || !Buffer.from(`${lines.join('\n')}${lines.length > 0 ? '\n' : ''}`).equals(bytes))
    throw new Error('a list does not end as it should')
  return lines.map((line) => {
    const value = JSON.parse(line)
    if (JSON.stringify(Object.fromEntries(keys.map((key) => [key, value[key]]))) !== line)
      throw new Error(`a line is not as it was written: ${line.slice(0, 80)}`)
    return value
  })
}

/** The files below a folder, by their names with slashes. */
function listFiles(folder, prefix = '') {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((item) => {
    const name = `${prefix}${item.name}`
    return item.isDirectory() ? listFiles(folder, `${name}/`) : [name]
  })
}

/** Every file is as the manifest says, none is missing and none was added; the manifest is signed. */
function checkManifest({ folder, manifest, bytes, trusted, note }) {
  const signature = readFileSync(join(folder, 'manifest.sig'), 'utf8')
  if (!trusted.some((key) => isSignedBy(key, bytes, signature.slice(0, -1)) && signature.endsWith('\n')))
    note('The manifest is not signed with a key that is trusted.')
  const named = new Map(manifest.files.map((file) => [file.name, file]))
  for (const name of listFiles(folder)) {
    if (name === 'manifest.json' || name === 'manifest.sig') continue
    if (!named.has(name)) note(`The file ${name} is not part of the pack.`)
  }
  for (const { name, bytes: size, sha256: hash } of named.values()) {
    const path = join(folder, name)
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) note(`The file ${name} is missing.`)
    else {
      const content = readFileSync(path)
      if (content.length !== size || sha256(content).toString('hex') !== hash) note(`The file ${name} was changed.`)
    }
  }
}

/** Every seal continues the one before it, and is signed. */
function checkChain({ seals, manifest, trusted, skip, note }) {
  const heads = new Set()
  let before
  for (const seal of seals) {
    const { number, public_key } = seal
    const statement = statementOf(seal)
    const head = sha256(statement).toString('hex')
    if (seal.organization_id !== manifest.organization.id) note(`Seal ${number} is of another organization.`)
    if (number !== (before?.number ?? 0) + 1) note(`A seal is missing before seal ${number}.`)
    if (!skip.has('previous') && seal.previous !== (before?.head ?? noHead)) note(`Seal ${number} does not continue the one before it.`)
    if (!skip.has('signature')) {
      const isGood = head === seal.head && isSignedBy(public_key, statement, seal.signature)
      if (!isGood) note(`Seal ${number} was changed, or its signature is not valid.`)
      if (!trusted.includes(public_key)) note(`Seal ${number} is signed with a key that is not trusted: ${public_key}`)
    }
    if (seal.total !== (before?.total ?? 0) + seal.entries) note(`The count of seal ${number} is wrong.`)
    if (seal.first_id > seal.last_id || (before && seal.first_id <= before.last_id)) note(`The entries of seal ${number} are out of order.`)
    heads.add(head)
    before = seal
  }
  if (manifest.seals.last !== 0 && seals.length < manifest.seals.count) note('Seals at the end of the chain are missing.')
  return heads
}

/** The entries of a seal are those that were sealed, and the files that they name are in the pack. */
function checkSeal({ seal, entries, folder, manifest, skip, note }) {
  const isWhole = entries.length === seal.entries && entries[0]?.id === seal.first_id && entries.at(-1)?.id === seal.last_id
  if (!isWhole) note(`Entries of seal ${seal.number} are missing, or there are more than were sealed.`)
  if (!skip.has('root') && rootOf(entries.map(leafOf)) !== seal.root)
    note(`The entries of seal ${seal.number} are not those that were sealed.`)
  let files = 0
  let erased = 0
  for (const entry of entries) {
    if (entry.details_hash === null && entry.salt !== null) note(`The details of entry ${entry.id} have a salt, and none was sealed.`)
    if (!skip.has('details') && entry.details_hash !== null) {
      const isErased = entry.salt === null && entry.details === '[]'
      if (isErased) erased += 1
      else if (entry.salt === null || hashOf(['details', entry.salt, entry.details]) !== entry.details_hash)
        note(`The details of entry ${entry.id} are not those that were sealed.`)
    }
    if (entry.file === null) continue
    files += 1
    const path = join(folder, 'files', entry.file)
    if (manifest.missing.includes(entry.file))
      note(`The file ${entry.file} of entry ${entry.id} was missing or changed when the pack was made.`)
    else if (!statSync(path, { throwIfNoEntry: false })?.isFile()) note(`The file ${entry.file} of entry ${entry.id} is missing.`)
    else if (!skip.has('files') && sha256(readFileSync(path)).toString('hex') !== entry.file)
      note(`The file ${entry.file} of entry ${entry.id} was changed.`)
  }
  return { files, erased }
}

/**
 * Verifies the pack in a folder. `skip` leaves a check out, to show that it is needed.
 * @param {string} folder
 * @param {{ heads?: string[], keys?: string[], skip?: Set<string> }} options
 */
export function verifyPack(folder, { heads = [], keys = [], skip = new Set() } = {}) {
  const problems = []
  const note = (/** @type {string} */ text) => problems.push(text)
  const sums = { seals: 0, entries: 0, files: 0, erased: 0, head: noHead, key: '', manifest: undefined }
  try {
    const bytes = readFileSync(join(folder, 'manifest.json'))
    const manifest = JSON.parse(bytes.toString('utf8'))
    if (manifest.format !== 'outlay-audit-pack-1') note('This script does not know this format of a pack.')
    const inPack = createPublicKey(readFileSync(join(folder, 'public-key.pem')))
      .export({ format: 'der', type: 'spki' })
      .toString('base64')
    const trusted = keys.length > 0 ? keys : [inPack, ...manifest.earlier_keys]
    if (!skip.has('manifest')) checkManifest({ folder, manifest, bytes, trusted, note })
    const seals = linesOf(readFileSync(join(folder, 'seals.jsonl')), sealKeys)
    const known = checkChain({ seals, manifest, trusted, skip, note })
    const bySeal = new Map()
    let before = -Infinity
    for (const entry of linesOf(readFileSync(join(folder, 'trail.jsonl')), entryKeys)) {
      if (entry.id <= before) note(`Entry ${entry.id} is out of order.`)
      before = entry.id
      if (!bySeal.has(entry.seal)) bySeal.set(entry.seal, [])
      bySeal.get(entry.seal).push(entry)
      sums.entries += 1
    }
    const { first, last } = manifest.seals
    for (const number of bySeal.keys())
      if (number < first || number > last) note(`Entries name seal ${number}, which is not of the period.`)
    for (const seal of seals.filter(({ number }) => number >= first && number <= last)) {
      const found = checkSeal({ seal, entries: bySeal.get(seal.number) ?? [], folder, manifest, skip, note })
      sums.files += found.files
      sums.erased += found.erased
    }
    for (const head of heads)
      if (!known.has(head)) note(`The head ${head} is not in the chain: its end was cut off, or it is another chain.`)
    Object.assign(sums, { seals: seals.length, head: seals.at(-1)?.head ?? noHead, key: inPack, manifest })
  } catch (error) {
    note(`The pack cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  return { problems, ...sums }
}

function main(args) {
  const options = { heads: [], keys: [] }
  let folder = fileURLToPath(new URL('.', import.meta.url))
  for (let at = 0; at < args.length; at += 1) {
    if (args[at] === '--head' && args[at + 1]) options.heads.push(args[(at += 1)].toLowerCase())
    else if (args[at] === '--key' && args[at + 1]) options.keys.push(args[(at += 1)])
    else if (args[at].startsWith('-')) {
      console.error('Call it as: node verify.mjs [FOLDER] [--head HEX]... [--key BASE64]...')
      return 2
    } else folder = args[at]
  }
  const { problems, seals, entries, files, erased, head, key, manifest } = verifyPack(folder, options)
  if (manifest) {
    console.log(`Organization  ${manifest.organization.name} (${manifest.organization.id})`)
    console.log(`Period        ${manifest.from ?? 'the beginning'} to ${manifest.to ?? manifest.made_at}`)
    console.log(
      `Trail         ${entries} entries in seals ${manifest.seals.first} to ${manifest.seals.last}, ${files} files, ${erased} erased`,
    )
    console.log(`Chain         ${seals} seals, head ${head}`)
    console.log(`Public key    ${key}`)
  }
  for (const problem of problems) console.log(`PROBLEM       ${problem}`)
  console.log(problems.length === 0 ? 'Result        Everything agrees.' : `Result        ${problems.length} problems.`)
  return problems.length === 0 ? 0 : 1
}

if (process.argv[1] && realpathSync(process.argv[1]) === realpathSync(fileURLToPath(import.meta.url)))
  process.exitCode = main(process.argv.slice(2))

import { type KeyObject, generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditKeyFile, findAuditKey, shareAuditKey } from '#main/use-cases/audit/audit-key'
import { folderOfFile, instanceOfFile } from '#test/support/of-file'

const scratch = folderOfFile('outlay-key-')
const instance = await instanceOfFile()

const kept = () => instance.app.store.reader.db.selectFrom('instance_settings').selectAll().where('key', '=', 'audit_key').execute()
const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }).toString()

test('a key of the operator is taken by each server, and is not in the database', async () => {
  const { store } = instance.app
  const [one, other] = [instance.folder, scratch]
  await shareAuditKey(store, one)
  await shareAuditKey(store, other)
  expect((await findAuditKey(one))?.public_key).toBe((await findAuditKey(other))?.public_key)
  expect(await kept()).toHaveLength(1)
  const before = await readFile(join(one, auditKeyFile), 'utf8')
  const file = join(scratch, 'secret.pem')
  await writeFile(file, pem(generateKeyPairSync('ed25519').privateKey))
  await shareAuditKey(store, one, file)
  await shareAuditKey(store, other, file)
  expect(await kept()).toEqual([])
  expect(await readFile(join(one, auditKeyFile), 'utf8')).toBe(await readFile(file, 'utf8'))
  expect((await findAuditKey(one))?.public_key).toBe((await findAuditKey(other))?.public_key)
  expect(await readFile(join(one, 'audit-key.earlier.pem'), 'utf8')).toBe(before)
})

test('a file without such a key stops the start, and nothing changes', async () => {
  await shareAuditKey(instance.app.store, instance.folder)
  const before = await readFile(join(instance.folder, auditKeyFile), 'utf8')
  const file = join(scratch, 'other.pem')
  await writeFile(file, pem(generateKeyPairSync('x25519').privateKey))
  await expect(shareAuditKey(instance.app.store, instance.folder, file)).rejects.toThrow(/Ed25519/)
  await expect(shareAuditKey(instance.app.store, instance.folder, join(scratch, 'none.pem'))).rejects.toThrow(/ENOENT/)
  expect(await readFile(join(instance.folder, auditKeyFile), 'utf8')).toBe(before)
})

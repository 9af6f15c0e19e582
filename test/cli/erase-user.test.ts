import { beforeEach, expect, test } from 'vitest'
import { type BuiltFolder, makeBuiltFolder } from '#test/support/built-program'

let folder: BuiltFolder
beforeEach(async () => {
  folder = await makeBuiltFolder()
  return () => folder.remove()
})

const people = async () => (await folder.run('export', 'memberships', '--format', 'json')).stdout

test('user erase replaces the name and addresses of a person, and only of the one whose name is typed', async () => {
  const added = await folder.run('user', 'add', '--organization', '1', '--name', 'Quirina Zebedea', '--email', 'quirina@example.org')
  const id = String(added.result.user_id)
  expect(await people()).toContain('Quirina Zebedea')
  const erase = (...name: string[]) => folder.run('user', 'erase', id, '--organization', '1', '--name', ...name)
  const mistyped = await erase('Quirina')
  expect(mistyped.code).not.toBe(0)
  expect(await people()).toContain('quirina@example.org')
  expect((await erase('Quirina Zebedea')).result).toEqual({ user_id: Number(id), erased: true })
  expect(await people()).not.toMatch(/quirina|zebedea/i)
  expect((await folder.run('export', 'activities', '--format', 'json')).stdout).not.toMatch(/quirina|zebedea/i)
  expect((await erase('Quirina Zebedea')).code).not.toBe(0)
})

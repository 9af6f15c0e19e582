import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { type BuiltFolder, makeBuiltFolder } from '#test/support/built-program'

let folder: BuiltFolder
beforeEach(async () => {
  folder = await makeBuiltFolder()
  return () => folder.remove()
})

describe('export of other lists', () => {
  test('writes the records of each organization, on behalf of its admin', async () => {
    const { stdout } = await folder.run('export', 'memberships', '--format', 'json')
    expect(JSON.parse(stdout)).toMatchObject([
      { user: expect.any(String), user_email: expect.stringContaining('@'), role: 'admin', organization: expect.any(String) },
    ])
    expect((await folder.run('export', 'tags', '--organization', '1')).stdout).toContain('id,name,group,organization,created_at,updated_at')
    expect((await folder.run('export', 'activities')).stdout.split('\r\n').length).toBeGreaterThan(2)
  })

  test('refuses a filter that the list does not have, and names whose suggested expenses it needs', async () => {
    expect(await folder.run('export', 'reimbursements', '--q', '{"colour_eq":1}')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('colour_eq'),
    })
    expect(await folder.run('export', 'pre_expenses')).toMatchObject({ code: 2, stderr: expect.stringContaining('--user') })
  })
})

test('a file for accounting leaves out what nobody approved, and standard error counts it', async () => {
  const table = join(folder.path, 'rows.csv')
  writeFileSync(table, 'reference,claimant,date,amount,currency,detail\n1,Bruno Reis,2026-03-02,12.50,BRL,Taxi\n')
  expect((await folder.run('import', 'expenses', table, '--organization', '1')).code).toBe(0)
  const { stdout, stderr } = await folder.run('export', 'expenses', '--format', 'xero')
  expect(stdout.trim().split('\r\n')).toHaveLength(1)
  expect(stderr).toContain('0 expenses booked; 1 left out: 1 awaiting_analysis')
})

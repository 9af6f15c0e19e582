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
    expect(JSON.parse(stdout)).toMatchObject([{ user: expect.any(String), user_email: expect.stringContaining('@'), role: 'admin', organization: expect.any(String) }])
    expect((await folder.run('export', 'tags', '--organization', '1')).stdout).toContain('id,name,group,organization,created_at,updated_at')
    expect((await folder.run('export', 'activities')).stdout.split('\r\n').length).toBeGreaterThan(2)
  })

  test('refuses a filter that the list does not have, and names whose suggested expenses it needs', async () => {
    expect(await folder.run('export', 'reimbursements', '--q', '{"colour_eq":1}')).toMatchObject({ code: 2, stderr: expect.stringContaining('colour_eq') })
    expect(await folder.run('export', 'pre_expenses')).toMatchObject({ code: 2, stderr: expect.stringContaining('--user') })
  })
})

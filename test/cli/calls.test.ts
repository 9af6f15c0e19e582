import { rm } from 'node:fs/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { makeBuiltFolder, makeTemporaryFolder, runProgram } from '#test/support/built-program'

const folder = await makeBuiltFolder()
afterAll(() => folder.remove())

describe('a call', () => {
  test('without a command shows the help and is wrong', async () => {
    const { code, stdout, stderr } = await runProgram()
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Usage: outlay')
  })

  test('for help is right', async () => {
    const { code, stdout } = await runProgram('import', 'expenses', '--help')
    expect(code).toBe(0)
    expect(stdout).toContain('--dry-run')
  })

  test.each([
    ['of an unknown command', ['fly'], "unknown command 'fly'"],
    ['without its subcommand', ['token'], 'needs a command: create, list, revoke'],
    ['without what is required', ['init', '--name', 'A'], "required option '--organization <name>' not specified"],
    ['with an id that is none', ['organization', 'expire', 'x'], 'an id is a whole number'],
    ['with a word too many', ['doctor', 'now'], 'too many arguments'],
    ['with a filter that is none', ['export', 'expenses', '--q', '{"colour_eq":1}', '--data', '.'], 'colour_eq is not a filter'],
    ['for a format that is none', ['export', 'expenses', '--format', 'doc'], 'Allowed choices are csv, xlsx'],
  ])('%s gets a one-line error', async (_case, args, text) => {
    const { code, stdout, stderr } = await runProgram(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(text)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  test('on a folder without data says how to make some, and makes nothing', async () => {
    const path = await makeTemporaryFolder()
    const { code, stderr } = await runProgram('token', 'list', '--data', `${path}/none`)
    expect(code).toBe(1)
    expect(stderr).toContain('outlay init')
    await rm(path, { recursive: true })
  })
})

describe('init', () => {
  const other = ['init', '--organization', 'Other', '--name', 'Bob', '--email', 'bob@example.org']

  test('rejects a folder that has an organization, unless asked to add one', async () => {
    const refused = await folder.run(...other)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('--add')
    const added = await folder.run(...other, '--add')
    expect(added.result).toEqual({ organization_id: 2, user_id: 2, token: expect.stringMatching(/^[0-9a-f]{48}$/) })
  })
})

describe('people', () => {
  test('a user is added once, with a token', async () => {
    const call = ['user', 'add', '--organization', '1', '--name', 'Mel Member', '--email', 'mel@example.org', '--role', 'analyst']
    expect((await folder.run(...call)).result).toEqual({ user_id: expect.any(Number), token: expect.any(String) })
    expect(await folder.run(...call)).toMatchObject({ code: 1, stdout: '' })
  })

  test('a token has a name, scopes and an end, and only known ones', async () => {
    const create = (...more: string[]) => folder.run('token', 'create', '--email', 'ada@example.org', ...more)
    const { result: made } = await create('--name', 'Nightly', '--scope', 'write,read', '--expires', '2099-01-31')
    const { result } = await folder.run('token', 'list')
    const listed = { token_id: made.token_id, description: 'Nightly', scopes: ['read', 'write'], expires_at: '2099-01-31T00:00:00Z' }
    expect(result.tokens).toContainEqual(expect.objectContaining(listed))
    expect((await create('--scope', 'everything')).code).toBe(2)
    expect((await create('--expires', 'soon')).code).toBe(2)
    expect((await create('--expires', '2020-01-31')).code).toBe(1)
  })

  test('a token is made, listed without its secret, and revoked once', async () => {
    const { result: made } = await folder.run('token', 'create', '--email', 'ada@example.org')
    const listed = await folder.run('token', 'list')
    expect(listed.stdout).not.toContain(made.token)
    expect(listed.result.tokens).toContainEqual(expect.objectContaining({ token_id: made.token_id, email: 'ada@example.org' }))
    expect((await folder.run('token', 'revoke', String(made.token_id))).code).toBe(0)
    expect((await folder.run('token', 'revoke', String(made.token_id))).code).toBe(1)
  })

  test('an expired organization takes no more until it is renewed', async () => {
    expect((await folder.run('organization', 'expire', '1')).result).toMatchObject({ id: 1, name: 'Acme', expired: true })
    const call = ['user', 'add', '--organization', '1', '--name', 'Late', '--email', 'late@example.org']
    expect(await folder.run(...call)).toMatchObject({ code: 1, stderr: expect.stringContaining('expired') })
    expect((await folder.run('organization', 'renew', '1')).result).toMatchObject({ expired: false })
    expect((await folder.run(...call)).code).toBe(0)
  })
})

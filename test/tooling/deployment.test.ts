import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectionTo } from '#main/store/postgres/session'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8')
/** The instructions of a Dockerfile, each in one line. */
const instructions = read('docker/Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '')
const of = (name: string) => instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))
const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')))

test('the image is built in stages from images of a fixed version', () => {
  expect(of('FROM').length).toBe(2)
  for (const image of of('FROM')) expect(image).toMatch(/^[a-z]+:\d+\.\d+[\w.-]*( AS \w+)?$/)
})

test('it runs as a user without rights, in one process that is asked whether it is ready', () => {
  expect(last.some((line) => line === 'USER 10001')).toBe(true)
  expect(last.findIndex((line) => line.startsWith('USER '))).toBeGreaterThan(last.findLastIndex((line) => line.startsWith('RUN ')))
  expect(of('HEALTHCHECK')[0]).toContain('/health/ready')
  for (const line of [...of('ENTRYPOINT'), ...of('CMD')]) expect(Array.isArray(JSON.parse(line))).toBe(true)
  expect(of('ADD')).toEqual([])
})

test('no layer holds a secret, the lists of packages, or packages that nobody asked for', () => {
  for (const line of [...of('ENV'), ...of('ARG')]) expect(line).not.toMatch(/SECRET|PASSWORD|TOKEN|_URL/)
  for (const line of of('RUN').filter((one) => one.includes('apt-get install'))) {
    expect(line).toContain('--no-install-recommends')
    expect(line).toContain('rm -rf /var/lib/apt/lists/*')
  }
})

test('what it copies and runs is there', () => {
  const scripts = of('RUN').flatMap((line) => [...line.matchAll(/node (scripts\/\S+)/g)].map(([, path = '']) => path))
  expect(scripts).toEqual(['scripts/package.mjs'])
  const copied = of('COPY')
    .filter((line) => !line.startsWith('--from'))
    .flatMap((line) => line.split(' ').slice(0, -1))
  for (const path of [...scripts, ...copied]) expect([path, existsSync(join(root, path))]).toEqual([path, true])
  const kept = [...read('docker/Dockerfile.dockerignore').matchAll(/^!([\w./-]+)$/gm)].map(([, path = '']) => path)
  for (const path of kept) expect([path, existsSync(join(root, path))]).toEqual([path, true])
  for (const path of copied.filter((one) => one !== '.')) expect(kept).toContain(path)
})

test('the compose file has no secret in it and limits what the server may do', () => {
  const compose = read('docker/compose.yaml')
  const server = compose.slice(compose.indexOf('\n  server:'), compose.indexOf('\n  database:'))
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true']) expect(server).toContain(line)
  expect(compose).not.toMatch(/(PASSWORD|SECRET\w*|KEY): (?!\/run\/secrets)/)
  for (const [, image = ''] of compose.matchAll(/image: (\S+:\S+)/g)) expect(image).not.toMatch(/:latest$/)
  const settings = readFileSync(join(root, 'src-main/config/settings.ts'), 'utf8')
  for (const [, name = ''] of compose.matchAll(/^ {6}(OUTLAY_\w+):/gm)) expect([name, settings.includes(`${name}:`)]).toEqual([name, true])
})

test('the database of the containers, which has no certificate, is reached by the address that the guide gives', () => {
  const guide = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const [, address = ''] = /OUTLAY_DATABASE_URL=(postgres:[^"]+@database\/[^"]+)"/.exec(guide) ?? []
  expect(connectionTo(address.replace('$(cat secrets/database)', 'secret')).ssl).toBeUndefined()
})

test('the scripts of the Debian package are valid, and its service has no rights', () => {
  for (const name of ['outlay', 'postinst', 'prerm', 'postrm']) execFileSync('sh', ['-n', join(root, 'deploy/debian', name)])
  for (const name of ['postinst', 'prerm', 'postrm']) expect(read(`debian/${name}`)).toContain('set -e')
  const unit = read('debian/outlay.service')
  for (const line of ['User=outlay', 'NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'ProtectSystem=strict', 'PrivateDevices=yes'])
    expect(unit.split('\n')).toContain(line)
  expect(unit).toMatch(/^ExecStart=\/usr\/bin\/outlay serve /m)
  // What a name without a comment sign would set is for the operator to say.
  expect(
    read('debian/outlay.env')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  ).toEqual([])
})

test('the Debian command works with the settings of the service, as systemd reads them, and what the caller set counts first', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outlay-debian-'))
  try {
    const file = join(folder, 'outlay.env')
    const lines = [
      '# A comment',
      '; Another',
      '',
      'OUTLAY_SMTP_URL=smtps://ada:a$b#c&d@mail.example.org',
      'OUTLAY_MAIL_FROM="Acme <a@b.example>"',
      'OUTLAY_LOG=warn',
      'no setting',
      'BAD NAME=x',
    ]
    writeFileSync(file, `${lines.join('\n')}\nOUTLAY_OPENID_NAME='Acme ID'`)
    const script = read('debian/outlay')
      .replace('file=/etc/outlay/outlay.env', `file=${file}`)
      .replaceAll(/\/usr\/lib\/outlay\S+node \S+cli\.js/g, 'env')
      .replace('"$(id -u)" = 0', '1 = 0')
    const told = (env: Record<string, string>) =>
      Object.fromEntries(
        execFileSync('sh', ['-c', script], { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' })
          .split('\n')
          .filter((line) => line.startsWith('OUTLAY_'))
          .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      )
    expect(told({ OUTLAY_LOG: 'debug' })).toEqual({
      OUTLAY_SMTP_URL: 'smtps://ada:a$b#c&d@mail.example.org',
      OUTLAY_MAIL_FROM: 'Acme <a@b.example>',
      OUTLAY_LOG: 'debug',
      OUTLAY_OPENID_NAME: 'Acme ID',
      OUTLAY_DATA: '/var/lib/outlay',
    })
    expect(told({ OUTLAY_DATA: '/elsewhere' })).toMatchObject({ OUTLAY_DATA: '/elsewhere' })
    rmSync(file)
    expect(told({})).toEqual({})
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the proxy replaces what clients say of their address, and the containers rotate logs, have limits and a health', () => {
  const frontend = read('docker/haproxy.cfg').split('frontend web')[1] ?? ''
  for (const name of ['Forwarded', 'X-Forwarded-For']) expect(frontend).toMatch(new RegExp(`del-header ${name}$`, 'm'))
  const compose = read('docker/compose.yaml')
  const services = [
    ...compose.slice(compose.indexOf('services:'), compose.indexOf('\nsecrets:')).matchAll(/^ {2}(\w[\w-]*):([^]*?)(?=^ {2}\w|$(?![^]))/gm),
  ]
  expect(services.map(([, name]) => name)).toEqual(['proxy', 'server', 'second', 'database', 'bucket', 'make-bucket'])
  for (const [, name = '', text = ''] of services.filter(([, one]) => one !== 'second' && one !== 'make-bucket')) {
    expect([name, text.includes('logging: *logging'), /mem_limit: \d/.test(text)]).toEqual([name, true, true])
    if (name !== 'server') expect([name, text.includes('healthcheck:')]).toEqual([name, true])
  }
})

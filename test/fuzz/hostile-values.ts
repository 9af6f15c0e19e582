import * as fc from 'fast-check'

/** Names that every object has, or that the language, a library or the database gives a meaning. */
export const builtInNames = [
  ...['length', 'then', 'catch', 'toString', 'valueOf', 'toJSON', 'toLocaleString', 'constructor', 'prototype', '__proto__'],
  ...['hasOwnProperty', 'isPrototypeOf', 'propertyIsEnumerable', '__defineGetter__', '__lookupSetter__', 'name', 'message'],
  ...['size', 'type', 'get', 'set', 'has', 'next', 'done', 'value', 'map', 'push', 'at', 'keys', 'entries', 'byteLength'],
  ...['Symbol(Symbol.iterator)', 'Symbol.toPrimitive', '@@iterator', 'statusCode', 'code', 'id', 'rowid', '', '0', '-1', '*'],
]

const texts = fc.constantFrom(
  ...['', '0', '-0', 'NaN', 'Infinity', '1e400', '9'.repeat(400), '\u0000', '\uD800', '\u202Egpj.exe', 'x'.repeat(5_000)],
  ...['%', '%00', '../../etc/passwd', '..\\..\\x', "'; drop table users; --", '${7*7}', '{{7*7}}', '\r\nset-cookie: a=b'],
  ...['2026-02-30', '+275760-09-13T00:00:00Z', 'R$', ...builtInNames],
)
const leaf = fc.oneof(texts, fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, -1e308, 9_007_199_254_740_993, 1e-320, [], {}))
const name = fc.constantFrom(...builtInNames)

/** An object of its own attributes, also of the one that an assignment would take for its prototype. */
function toObject(entries: ReadonlyArray<readonly [string, unknown]>): object {
  const made = {}
  for (const [key, value] of entries) Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true })
  return made
}

/** JSON values whose attributes are named as what every object has. */
export const hostileValues: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc.array(fc.tuple(name, tie('value')), { minLength: 1, maxLength: 3 }).map(toObject),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.constant(toObject([['length', { toString: 1, valueOf: 1 }]])),
    fc.constant(
      toObject([
        ['then', 1],
        ['toJSON', 1],
        ['toString', null],
        ['valueOf', null],
      ]),
    ),
  ),
})).value

/** A hostile value in one place of a JSON value, or under another name in one of its objects. */
export function spoil(value: unknown, [path, hostile, added]: readonly [readonly number[], unknown, string | null]): unknown {
  const [step, ...rest] = path
  if (step === undefined || typeof value !== 'object' || value === null) return hostile
  const entries: Array<[string, unknown]> = Object.entries(value)
  const at = step % Math.max(1, entries.length)
  if (added !== null && rest.length === 0 && !Array.isArray(value)) return toObject([...entries, [added, hostile]])
  const changed = entries.map(([key, one], index): [string, unknown] => [key, index === at ? spoil(one, [rest, hostile, added]) : one])
  return Array.isArray(value) ? changed.map(([, one]) => one) : toObject(changed)
}

/** Where and with what a value is spoiled. */
export const spoilings = fc.tuple(fc.array(fc.nat(30), { minLength: 1, maxLength: 3 }), hostileValues, fc.option(name))

/** Text for a segment of a path or a part of a query, as it stands in an address. */
export const hostileSegments = fc.oneof(
  texts.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('%', '%zz', '%c0%ae%c0%ae', '%2e%2e%2f', '..', '.', ';x=1', '%00', '%ff', '*', ':id', '{id}', '1%2f2'),
)

/** Parameters of a query that qs makes objects of, named as above. */
export const hostileQueries = fc
  .array(
    fc.tuple(
      fc.constantFrom('q', 'page', 'per_page', 'sort', 'after', 'tags', 'group_by', 'file_name', 'style', 'expires', ...builtInNames),
      fc.array(fc.oneof(name, fc.constant('')), { maxLength: 3 }),
      hostileSegments,
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) =>
    parts.map(([top, inner, text]) => `${top}${inner.map((one) => `[${encodeURIComponent(one)}]`).join('')}=${text}`).join('&'),
  )

const headerNames = [
  ...['if-match', 'if-none-match', 'etag', 'idempotency-key', 'accept-language', 'accept', 'accept-encoding', 'x-request-id'],
  ...['content-type', 'range', 'upload-offset', 'upload-length', 'cookie', 'origin', 'x-forwarded-for', 'x-forwarded-proto'],
  ...['x-http-method-override', 'prefer', 'expect', 'if-modified-since', 'referer', 'last-event-id', 'authorization', 'user-agent'],
]
const headerTexts = fc.oneof(
  fc.constantFrom(...builtInNames, '"', '""', 'W/"', '*', ',', ';;;', 'bytes=', 'bytes=-0', 'bytes=0-1e9', 'bytes=9-1', 'en;q=NaN', 'pt-'),
  fc.constantFrom(
    'Basic',
    'Basic =',
    'Basic AAAA',
    'Basic Og==',
    'Bearer x',
    'outlay_session=%',
    '__Host-outlay_session=x',
    '9'.repeat(4_000),
  ),
  fc.constantFrom(
    'application/json; charset=x',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'text/plain',
    'application/octet-stream',
  ),
)

/** Headers that mean something to the server, with values that mean nothing. */
export const hostileHeaders: fc.Arbitrary<Record<string, string>> = fc
  .array(fc.tuple(fc.constantFrom(...headerNames, 'constructor', 'toString'), headerTexts), { maxLength: 3 })
  .map((pairs) => Object.fromEntries(pairs))

import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The region and the key of the stand-in. */
export const region = 'eu-west-3'
export const access_key_id = 'AKIDEXAMPLE'
export const secret_access_key = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'

/** What S3 says when it refuses. */
export class S3Error extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/** Judges the `Authorization` of a request: every header that it signed as it came. */
export function judgeSignature({ method = '', url = '', headers }: IncomingMessage, now: Date): void {
  const { pathname: path, searchParams } = new URL(url, 'http://s3')
  const query = [...searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&')
  const [, id, scope, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(headers.authorization ?? '') ?? []
  const date = String(headers['x-amz-date'])
  const day = date.slice(0, 8)
  const canonical = [
    ...[method, path, query],
    ...names.split(';').map((name) => `${name}:${String(headers[name])}`),
    ...['', names, String(headers['x-amz-content-sha256'])],
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', date, scopeOf(day), createHash('sha256').update(canonical).digest('hex')].join('\n')
  const isWhole = ['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => names.split(';').includes(name))
  if (id !== access_key_id || scope !== scopeOf(day) || !isWhole || signature !== sign(day, text)) throw wrongSignature
  const instant = date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')
  if (!(Math.abs(Date.parse(instant) - now.getTime()) < 15 * 60_000))
    throw new S3Error(403, 'RequestTimeTooSkewed', 'The difference between the request time and the current time is too large.')
}

/** What a key of that day is for. */
export const scopeOf = (day: string) => `${day}/${region}/s3/aws4_request`

/** The signature of a text by the key of that day, hexadecimal. */
export function sign(day: string, text: string): string {
  const hmac = (key: string | Buffer, part: string) => createHmac('sha256', key).update(part).digest()
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret_access_key}`)
  return hmac(key, text).toString('hex')
}

/** The signature does not fit. */
export const wrongSignature = new S3Error(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match.')

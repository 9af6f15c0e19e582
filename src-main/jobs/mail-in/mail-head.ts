/** The head of a message. `from`: undefined unless there is exactly one sender. */
export interface MailHead {
  readonly from: string | undefined
  readonly subject: string | undefined
  readonly recipients: readonly string[]
  /** Whether the receiving mail server with this name confirms the sender's domain. */
  isProven(authserv: string): boolean
}

const blankLine = /\r?\n\r?\n/

/** Parses only the head of a message. @throws if it is missing or too long */
export async function readHead(beginning: Uint8Array): Promise<MailHead> {
  const { default: PostalMime, addressParser } = await import('postal-mime')
  const text = new TextDecoder('latin1').decode(beginning)
  const head = text.slice(0, blankLine.exec(text)?.index ?? text.length)
  const mail = await PostalMime.parse(
    Uint8Array.from(`${head}\r\n\r\n`, (sign) => sign.charCodeAt(0)),
    { maxHeadersSize: 512 * 1024 },
  )
  const valuesOf = (...names: string[]) => mail.headers.filter(({ key }) => names.includes(key.toLowerCase())).map(({ value }) => value)
  const [from, ...others] = valuesOf('from').flatMap((value) => addressParser(value, { flatten: true }))
  const address = others.length === 0 ? from?.address?.toLowerCase() : undefined
  return {
    from: address,
    subject: mail.subject,
    recipients: valuesOf('delivered-to', 'x-original-to', 'envelope-to', 'to', 'cc'),
    isProven: (authserv) => {
      // The receiving server's is on top; those below came with the message.
      const [newest = ''] = valuesOf('authentication-results')
      return address !== undefined && isPassed(newest, { authserv, domain: address.slice(address.lastIndexOf('@') + 1) })
    },
  }
}

/** Whether this server's `Authentication-Results` header (RFC 8601) reports a pass of DMARC, or of a DKIM signature of the sender's domain. */
function isPassed(header: string, { authserv, domain }: { readonly authserv: string; readonly domain: string }): boolean {
  const [name = '', ...results] = withoutComments(header).toLowerCase().split(';')
  if (name.trim().split(/\s/)[0] !== authserv.toLowerCase()) return false
  return results.some((result) => {
    const [, method, outcome] = /^\s*([\w-]+)(?:\/\d+)?\s*=\s*(\w+)/.exec(result) ?? []
    const of = (property: string) => new RegExp(`\\b${property}\\s*=\\s*"?(?:[^\\s"@]*@)?([^\\s";]+)`).exec(result)?.[1]
    if (outcome !== 'pass') return false
    if (method === 'dmarc') return of('header\\.from') === domain
    return method === 'dkim' && (of('header\\.d') ?? of('header\\.i')) === domain
  })
}

/** A header without parenthesized comments, which may contain anything; empty if parentheses do not match. */
function withoutComments(header: string): string {
  let depth = 0
  let kept = ''
  for (const sign of header) {
    if (sign === '(') depth += 1
    else if (sign === ')') depth -= 1
    else if (depth === 0) kept += sign
    if (depth < 0) return ''
  }
  return depth === 0 ? kept : ''
}

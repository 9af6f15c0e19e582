import type { StatementReport } from '#shared/contract/organization-records/statements'
import type { ApiResponse, Instance, Person } from '#test/support/instance'

/** Uploads a statement as its bytes: to see what it would add, or to add it. */
export async function uploadStatement(
  { url, organization_id }: Pick<Instance, 'url' | 'organization_id'>,
  person: Pick<Person, 'token'>,
  {
    card_id,
    bytes,
    mapping,
    account,
    difference,
    add_unsure,
    isPreview = false,
  }: {
    card_id: number
    bytes: string | Uint8Array<ArrayBuffer>
    mapping?: unknown
    account?: string
    difference?: string
    add_unsure?: string
    isPreview?: boolean
  },
): Promise<ApiResponse<StatementReport>> {
  const query = new URLSearchParams({
    corporative_card_id: String(card_id),
    ...(mapping !== undefined && { mapping: JSON.stringify(mapping) }),
    ...(account !== undefined && { account }),
    ...(difference !== undefined && { difference }),
    ...(add_unsure !== undefined && { add_unsure }),
  })
  const response = await fetch(`${url}/api/v1/organizations/${organization_id}/statements${isPreview ? '/preview' : ''}?${query}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${person.token}:`).toString('base64')}`,
      'content-type': 'application/octet-stream',
      'user-agent': 'tests',
    },
    body: bytes,
  })
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}

/** An OFX 1 statement of these bookings, newest last; amounts with the bank's sign. */
export function ofxOf(bookings: ReadonlyArray<{ day: string; amount: string; name: string; id?: string; type?: string }>): string {
  const lines = bookings.map(
    ({ day, amount, name, id, type = 'DEBIT' }) =>
      `<STMTTRN>\n<TRNTYPE>${type}\n<DTPOSTED>${day.replaceAll('-', '')}120000[-3:BRT]\n<TRNAMT>${amount}\n${id === undefined ? '' : `<FITID>${id}\n`}<NAME>${name}\n</STMTTRN>`,
  )
  return `OFXHEADER:100\nDATA:OFXSGML\nENCODING:USASCII\n\n<OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>BRL\n<BANKTRANLIST>\n${lines.join('\n')}\n</BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>\n`
}

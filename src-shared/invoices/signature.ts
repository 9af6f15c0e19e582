/** Why a signature does not fit its file. `wrapped`: it signs something other than what is read; `other_protocol`: the authorization is of another file. */
export const alteredReasons = ['digest', 'wrapped', 'other_protocol'] as const
/** Why a signature was not checked to the end. */
export const uncheckedReasons = [
  'unsigned',
  'unknown_layout',
  'unknown_method',
  'unknown_certificate',
  'wrong_usage',
  'other_signer',
] as const

/**
 * What the signature of an electronic invoice is worth, as far as that can be known offline. `valid`: unchanged, and signed by its issuer with a
 * certificate that leads to a root; whether that was revoked is not known. `signer`: the name in the certificate.
 */
export type SignatureCheck =
  | { readonly state: 'valid'; readonly signer: string }
  | { readonly state: 'altered'; readonly reason: (typeof alteredReasons)[number] }
  | { readonly state: 'unchecked'; readonly reason: (typeof uncheckedReasons)[number] }

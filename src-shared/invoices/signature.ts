/**
 * Why a signature does not match its file. `wrapped`: it signs something other than what is read; `other_protocol`: the authorization belongs to
 * another file.
 */
export const alteredReasons = ['digest', 'wrapped', 'other_protocol'] as const
/** Why a signature could not be fully checked. */
export const uncheckedReasons = [
  'unsigned',
  'unknown_layout',
  'unknown_method',
  'unknown_certificate',
  'wrong_usage',
  'other_signer',
] as const

/**
 * The result of checking an electronic invoice's signature, as far as possible offline. `valid`: unaltered, and signed by its issuer with a
 * certificate that leads to a root; revocation is not checked. `signer`: the certificate's name.
 */
export type SignatureCheck =
  | { readonly state: 'valid'; readonly signer: string }
  | { readonly state: 'altered'; readonly reason: (typeof alteredReasons)[number] }
  | { readonly state: 'unchecked'; readonly reason: (typeof uncheckedReasons)[number] }

/** Why a file is rejected as a receipt, if the sender can do something about it; `refused` for all other reasons. */
export const uploadRefusals = [
  'too_many_pixels',
  'too_many_pages',
  'doctype',
  'malformed',
  'timed_out',
  'too_complex',
  'type_mismatch',
  'refused',
] as const
export type UploadRefusal = (typeof uploadRefusals)[number]

/** The upload protocol's messages, in English; for `type_mismatch` only the beginning. */
export const uploadRefusalTexts: Readonly<Record<Exclude<UploadRefusal, 'refused'>, string>> = {
  too_many_pixels: 'The image has too many pixels.',
  too_many_pages: 'The file has too many pages.',
  doctype: 'XML with a document type declaration is not accepted.',
  malformed: 'The file is damaged or protected by a password.',
  timed_out: 'The file takes too long to read.',
  too_complex: 'The file needs too much memory to be read.',
  type_mismatch: 'The file is not of the declared content type',
}

/** The reason in a message of the upload protocol. */
export function uploadRefusalOf(text: string): UploadRefusal {
  return uploadRefusals.find((code) => code !== 'refused' && text.startsWith(uploadRefusalTexts[code])) ?? 'refused'
}

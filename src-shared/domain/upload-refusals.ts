/** Why a file is not taken as a receipt, as far as a sender can do something about it; `refused` is anything else. */
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

/** The messages for uploaders, in the fixed English of the upload protocol; for `type_mismatch` only the beginning. */
export const uploadRefusalTexts: Readonly<Record<Exclude<UploadRefusal, 'refused'>, string>> = {
  too_many_pixels: 'The image has too many pixels.',
  too_many_pages: 'The file has too many pages.',
  doctype: 'XML with a document type declaration is not accepted.',
  malformed: 'The file is damaged or protected by a password.',
  timed_out: 'The file takes too long to read.',
  too_complex: 'The file needs too much memory to be read.',
  type_mismatch: 'The file is not of the declared content type',
}

/** The reason that a text of the upload protocol says. */
export function uploadRefusalOf(text: string): UploadRefusal {
  return uploadRefusals.find((code) => code !== 'refused' && text.startsWith(uploadRefusalTexts[code])) ?? 'refused'
}

/** What the script of a pack found. */
export function verifyPack(
  folder: string,
  options?: { heads?: string[]; keys?: string[]; skip?: Set<string> },
): { problems: string[]; seals: number; entries: number; files: number; erased: number; head: string; key: string }

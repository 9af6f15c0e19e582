/** The path of a Chromium on this machine: `$CHROMIUM` when set, else the first found in its usual places. */
export function findChromium(): string | undefined

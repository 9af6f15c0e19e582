/** The path of a Chromium on this machine: `$CHROMIUM` when set, else the first found in its usual places. */
export function findChromium(): string | undefined
/** How a browser of tests and measurements is started: as root too, and asking nothing of any host but ours. */
export const chromiumArgs: string[]

/** The path of a Chromium on this machine: `$CHROMIUM` when set, else the first found in its usual places. */
export function findChromium(): string | undefined
/** The path of Debian's Chromium without the frame around its pages, unless `$CHROMIUM` names another browser. */
export function findHeadlessShell(): string | undefined
/** How a browser of tests and measurements is started: as root too, and asking nothing of any host but ours. */
export const chromiumArgs: string[]

import { version as packageVersion } from '../../package.json'

/** The program's version. */
export const version = packageVersion

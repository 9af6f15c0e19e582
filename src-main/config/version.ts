import manifest from '../../package.json'

/** The program's version. */
export const version = manifest.version

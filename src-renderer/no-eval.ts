/**
 * The page's policy forbids code that is made of text, which zod would make of schemas. It looks here when the first schema is
 * made: the file stands before all others, and is kept apart from them (`electron.vite.config.ts`).
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

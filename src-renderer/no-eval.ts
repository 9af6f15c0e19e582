/**
 * The page's policy forbids code created from text, which zod would create for schemas. It checks this when the first schema is
 * created: this file runs before all others, and is a separate chunk (`electron.vite.config.ts`).
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

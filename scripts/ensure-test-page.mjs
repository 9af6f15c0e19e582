// Playwright runs it before its tests: the page that most of them keep is then built.
export { ensureTestPage as default } from './setup.mjs'

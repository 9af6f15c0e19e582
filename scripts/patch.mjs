import { SetupError } from './setup.mjs'

/** The text of a file with one place of it changed. Throws unless what is changed is there once. */
export function patchOf(text, { file, find, replace }) {
  if (text.split(find).length !== 2) throw new SetupError(`What is changed in ${file} is not there once: ${find}`)
  return text.replace(find, () => replace)
}

import { readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { resolve } from './import-resolver.mjs'

/** Namespaces whose texts are named by values: of screens and of statuses. */
const whole = ['shell', 'status']

/** A text that a value names. */
const computed = /\bt\((?:\[?`\$\{|\w+(?:\.\w+)*[,)]).*/
const withoutNamespace = /\bt\(\[?['`](?![\w-]+:).*/

/** The code of the page's first load by path: those that `entry` imports, and not those that it loads later. */
function firstModules(root, entry) {
  const modules = new Map()
  const paths = new Set([join(root, entry)])
  for (const path of paths) {
    const code = readFileSync(path, 'utf8')
    modules.set(path, code)
    for (const [, source = ''] of code.matchAll(/^(?:import|export) (?!type )(?:[^'"]* from )?'([.#][^']+)'/gm)) {
      const { path: found = '' } = resolve(source, path)
      if (/\.tsx?$/.test(found)) paths.add(found)
    }
  }
  return modules
}

const takesFrom = (namespace, code) => new RegExp(`useTranslation\\([^)]*'${namespace}'|['\`]${namespace}:`).test(code)

/** Divides the page's texts in two: `?first` are those that the modules of its first load name, `?later` the others. */
export function firstTexts(root, entry) {
  let modules = new Map()
  const wordsOf = new Map()
  /** Whether the first load may show texts that are under a key of a namespace: one of its modules names both. */
  const isFirst = (namespace, key) => {
    const words =
      wordsOf.get(namespace) ??
      new Set([...modules.values()].filter((code) => takesFrom(namespace, code)).flatMap((code) => code.match(/[\w-]+/g) ?? []))
    wordsOf.set(namespace, words)
    return whole.includes(namespace) || words.has(key.replace(/_(one|other)$/, ''))
  }
  return {
    name: 'first-texts',
    enforce: 'pre',
    buildStart() {
      modules = firstModules(root, entry)
      for (const [path, code] of modules) {
        const isGivenT = !code.includes('useTranslation(')
        const unclear = computed.exec(code) ?? (isGivenT ? withoutNamespace.exec(code) : null)
        if (unclear && !whole.some((namespace) => takesFrom(namespace, code)))
          this.error(`${relative(root, path)} names a text so that the build cannot tell whether it is in the first load: ${unclear[0]}`)
      }
    },
    watchChange() {
      modules = firstModules(root, entry)
      wordsOf.clear()
    },
    load(id) {
      const [, path = '', folder, part] = /^(.*\/i18n\/\w+\/(records\/)?[^/]+\.json)\?(first|later)$/.exec(id) ?? []
      if (part === undefined) return null
      const kept = (namespace, own) =>
        Object.fromEntries(Object.entries(own).filter(([key]) => isFirst(namespace, key) === (part === 'first')))
      const content = JSON.parse(readFileSync(path, 'utf8'))
      const texts = folder === undefined ? { [basename(path, '.json')]: content } : content
      const parts = Object.entries(texts).map(([namespace, own]) => [namespace, kept(namespace, own)])
      const one = folder === undefined ? parts[0]?.[1] : Object.fromEntries(parts.filter(([, own]) => Object.keys(own).length > 0))
      return { code: `export default ${JSON.stringify(one)}`, moduleType: 'js' }
    },
    generateBundle(_options, bundle) {
      const first = Object.values(bundle).flatMap((file) => (file.type === 'chunk' && file.isEntry ? file.moduleIds : []))
      const unread = first.filter((id) => /\/src-(renderer|shared)\/.*\.tsx?$/.test(id) && !modules.has(id))
      if (unread.length > 0) this.error(`The first load has modules whose texts may not be in it: ${unread.join(', ')}`)
    },
  }
}

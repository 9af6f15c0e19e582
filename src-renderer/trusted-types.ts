/** The part of Trusted Types that is used here; TypeScript's own types do not have it yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: Readonly<Record<string, (text: string, type: string, sink: string) => string>>): unknown
}

function hasTrustedTypes(scope: object): scope is { trustedTypes: TrustedTypes } {
  return 'trustedTypes' in scope
}

/**
 * The page's policy demands Trusted Types: text becomes neither markup nor script. Three things are allowed, and nothing
 * else: style sheets of libraries, which are text without any markup; XML that is read in a separate document, where nothing
 * runs and from which no node is moved; and workers from our own files.
 */
if (hasTrustedTypes(window))
  window.trustedTypes.createPolicy('default', {
    createHTML: (text, _type, sink) => {
      if (text.includes('<') && sink !== 'DOMParser parseFromString') throw new TypeError('No markup is made from text.')
      return text
    },
    createScriptURL: (text) => {
      const { origin, pathname } = new URL(text, location.href)
      if (origin !== location.origin || !/^\/(assets\/|service-worker\.js$)/.test(pathname))
        throw new TypeError('No script is loaded from there.')
      return text
    },
  })

// Runs in a page before its scripts: Electron's renderer modules for the built preload, whose text takes the place of the mark.
;(() => {
  const send = window.__standInCall
  const waiting = new Map()
  let calls = 0
  const call = (channel, text) =>
    new Promise((resolve) => {
      waiting.set(++calls, resolve)
      send(JSON.stringify([calls, channel, text]))
    })
  Object.defineProperty(window, '__standInAnswer', {
    value: (id, answer) => {
      waiting.get(id)?.(answer)
      waiting.delete(id)
    },
  })
  // Frames have no preload: what is left to them is the bare call, for specs that try it.
  window.__standInCall = call
  if (window !== window.top || !/(^|\.)localhost$/.test(location.hostname)) return
  delete window.__standInCall
  const listeners = new Map()
  const toText = (value) => {
    const copy = structuredClone(value)
    const text = JSON.stringify(copy)
    if (JSON.stringify(JSON.parse(text)) !== text) throw new Error('stand-in: only what JSON can say crosses between processes')
    return text
  }
  const invoke = async (channel, ...args) => {
    const answer = await call(channel, toText(args))
    if ('error' in answer) throw new Error(`Error invoking remote method '${channel}': ${answer.error}`)
    return answer.value
  }
  const on = (channel, listener) => {
    listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
    return ipcRenderer
  }
  const off = (channel, listener) => {
    listeners.set(
      channel,
      (listeners.get(channel) ?? []).filter((known) => known !== listener),
    )
    return ipcRenderer
  }
  const strict = (name, object) =>
    new Proxy(object, {
      get: (target, key) => {
        if (typeof key === 'symbol' || key in target) return target[key]
        throw new Error(`stand-in: ${name}.${key} is not implemented`)
      },
    })
  const ipcRenderer = strict('ipcRenderer', { invoke, on, off, removeListener: off })
  Object.defineProperty(window, '__standInEmit', {
    value: (channel, args) => (listeners.get(channel) ?? []).forEach((listener) => listener({}, ...args)),
  })
  // What crosses the context bridge is cloned and frozen; functions are wrapped.
  const pass = (value) => {
    if (typeof value === 'function') return (...args) => pass(value(...args.map(pass)))
    if (value instanceof Promise) return value.then(pass)
    if (Array.isArray(value)) return Object.freeze(value.map(pass))
    if (value && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
      return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, pass(inner)])))
    return structuredClone(value)
  }
  const exposeInMainWorld = (key, api) => Object.defineProperty(window, key, { value: pass(api), enumerable: true })
  const webUtils = strict('webUtils', { getPathForFile: () => '' })
  const electron = strict('electron', { contextBridge: strict('contextBridge', { exposeInMainWorld }), ipcRenderer, webUtils })
  const require = (name) => {
    if (name === 'electron' || name === 'electron/renderer') return electron
    throw new Error(`stand-in: a sandboxed preload cannot require '${name}'`)
  }
  const process = { platform: '/*PLATFORM*/', versions: {}, env: {}, argv: [], sandboxed: true, contextIsolated: true }
  const module = { exports: {} }
  ;(function (require, module, exports, process) {
    /*PRELOAD*/
  })(require, module, module.exports, process)
})()

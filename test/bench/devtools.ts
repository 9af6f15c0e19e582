/** A page, spoken to by the protocol of Chromium's developer tools alone: a driver would take part in what is measured. */
export interface DevToolsPage {
  /** What an expression comes to in the page, once it does. */
  evaluate(expression: string): Promise<unknown>
  /** Presses the key of a letter. */
  press(key: string): Promise<void>
  close(): void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly targetInfo?: { readonly targetId: string; readonly type: string; readonly url: string } }
  readonly result?: { readonly sessionId?: string; readonly result?: { readonly value?: unknown } }
  readonly error?: { readonly message: string }
}

/** Waits for a browser's page at an address that matches. `port`: of the developer tools, on this machine. */
export async function attachTo(port: number, url: RegExp): Promise<DevToolsPage> {
  const version = await fetch(`http://127.0.0.1:${port}/json/version`)
  const { webSocketDebuggerUrl }: { webSocketDebuggerUrl: string } = await version.json()
  const socket = new WebSocket(webSocketDebuggerUrl)
  await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }))
  const waiting = new Map<number, { resolve: (message: Message) => void; reject: (error: Error) => void }>()
  let lastId = 0
  const send = (method: string, params: object, sessionId?: string) =>
    new Promise<Message>((resolve, reject) => {
      waiting.set(++lastId, { resolve, reject })
      socket.send(JSON.stringify({ id: lastId, method, params, sessionId }))
    })
  const found = new Promise<string>((resolve) => {
    socket.onmessage = ({ data }) => {
      const message: Message = JSON.parse(String(data))
      const { id = 0, params, error } = message
      if (params?.targetInfo?.type === 'page' && url.test(params.targetInfo.url)) resolve(params.targetInfo.targetId)
      if (error) waiting.get(id)?.reject(new Error(error.message))
      else waiting.get(id)?.resolve(message)
    }
  })
  await send('Target.setDiscoverTargets', { discover: true })
  const { result } = await send('Target.attachToTarget', { targetId: await found, flatten: true })
  const toPage = async (method: string, params: object) => send(method, params, result?.sessionId)
  return {
    evaluate: async (expression) =>
      (await toPage('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })).result?.result?.value,
    press: async (key) => {
      await toPage('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key })
      await toPage('Input.dispatchKeyEvent', { type: 'keyUp', key })
    },
    close: () => socket.close(),
  }
}

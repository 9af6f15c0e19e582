import { contextBridge, ipcRenderer } from 'electron'
import { type DesktopBridge, callChannel, eventChannel } from '#shared/desktop/channels'

const bridge: DesktopBridge = {
  platform: process.platform,
  call: (name, argument) => ipcRenderer.invoke(callChannel, name, argument),
  on: (name, listener) => {
    const hear = (_: unknown, told: string, event: Parameters<typeof listener>[0]) => {
      if (told === name) listener(event)
    }
    ipcRenderer.on(eventChannel, hear)
    return () => void ipcRenderer.off(eventChannel, hear)
  },
}

/** The few calls that a page may make to the shell; data always go over the API. */
contextBridge.exposeInMainWorld('outlayDesktop', bridge)

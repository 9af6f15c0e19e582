import { contextBridge } from 'electron'

/** What the page may know of the desktop: that it runs there. Data goes over the API, never over IPC. */
contextBridge.exposeInMainWorld('outlayDesktop', { isDesktop: true })

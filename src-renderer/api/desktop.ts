import type { DesktopBridge } from '#shared/desktop/channels'

declare global {
  interface Window {
    /** Put there by the desktop's preload; a browser has none. */
    readonly outlayDesktop?: DesktopBridge
  }
}

/** The shell around this page; undefined in a browser. */
export const desktop: DesktopBridge | undefined = typeof window === 'undefined' ? undefined : window.outlayDesktop

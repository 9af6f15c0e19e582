import { useCallback } from 'react'
import { useLocation } from 'wouter'
import { desktop } from '../../api/desktop'

/** Opens quick capture: a separate small window on the desktop, a page in a browser. */
export function useQuickCapture(): () => void {
  const [, navigate] = useLocation()
  return useCallback(() => {
    if (desktop) void desktop.call('quick_capture.open', {}).catch(() => navigate('/quick-capture'))
    else navigate('/quick-capture')
  }, [navigate])
}

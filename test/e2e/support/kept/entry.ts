import '../../../../src-renderer/first'
import '../../../../src-renderer/trusted-types'
import '../../../../src-renderer/mantine.css'
import '../../../../src-renderer/global.css'
import { ownWritesPause } from '../../../../src-renderer/api/own-writes'
import { resetPage } from '../../../../src-renderer/api/page/page-state'
import { startPage } from '../../../../src-renderer/start-page'
import { usePreferences } from '../../../../src-renderer/state/preferences'
import { guardDoubleClicks } from '../../../../src-renderer/ui/keys/double-clicks'

// The page as main.tsx begins it, with a hook for tests; no page that ships has it. Without its service worker, which these tests block.
guardDoubleClicks()
let end = startPage()
let isStopped = false

/** What a test does to the page in place of loading it. */
export type KeptPageHook = typeof hook

const hook = {
  /** Takes the interface away, and everything that this page or its device knows. */
  async stop(): Promise<void> {
    end()
    isStopped = true
    // What is still on its way belongs to the test that ends.
    await ownWritesPause()
    resetPage()
    usePreferences.setState(usePreferences.getInitialState(), true)
    localStorage.clear()
    sessionStorage.clear()
    // What is kept in memory of the device's storage, as other tabs hear of it.
    dispatchEvent(new StorageEvent('storage', { key: null, storageArea: localStorage }))
    await Promise.all((await indexedDB.databases()).map(({ name = '' }) => forgetDatabase(name)))
    document.title = 'Outlay'
  },
  /** Shows the interface at an address, as a page that was just loaded: what the page knew is gone, what the device keeps is there. */
  start(path: string): void {
    if (!isStopped) {
      dispatchEvent(new PageTransitionEvent('pagehide'))
      end()
      resetPage()
    }
    history.pushState(null, '', path)
    scrollTo(0, 0)
    end = startPage()
    isStopped = false
  },
}

function forgetDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    request.onerror = () => reject(new Error(`${name} could not be deleted.`))
  })
}

Object.assign(window, { outlayTest: hook })

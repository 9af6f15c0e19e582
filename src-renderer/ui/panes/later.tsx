import { type ComponentType, createElement, lazy, Suspense, useEffect, useState } from 'react'
import { addLaterTexts } from '../../i18n'

type Load<P> = () => Promise<ComponentType<P>>

/** Loads a part, with what all parts need that is not in the first load: texts, and styles of Mantine. */
async function loadWhole<P>(load: Load<P>): Promise<ComponentType<P>> {
  const [part] = await Promise.all([load(), addLaterTexts(), import('../../mantine-later.css')])
  return part
}

/** How long a failure stands before the part is read again, in milliseconds. */
const failureMs = 500

/** A part that is read when it is first shown, with what all parts need. One that could not be read is asked for again the next time: React alone would keep the failure. */
export function onDemand<P extends object>(load: Load<P>): ComponentType<P> {
  const begin = () =>
    lazy(async () => {
      try {
        return { default: await loadWhole(load) }
      } catch (error) {
        setTimeout(() => (Part = begin()), failureMs)
        throw error
      }
    })
  let Part = begin()
  return function OnDemand(props: P) {
    return createElement<P>(Part, props)
  }
}

const loads: Array<() => Promise<unknown>> = []

/**
 * A part of a screen that most people open later or never: it is not in the first load, but read once the page is at rest, and at the latest
 * when it is opened. What is pressed until it is there does nothing: it was meant for the part, not for what is beneath it.
 */
export function later<P extends object>(load: Load<P>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined
  loads.push(async () => void (loaded = await loadWhole(load)))
  const Part = onDemand(load)
  return function Later(props: P) {
    // For as long as it is shown: in place of another it would begin again.
    const [Loaded] = useState(() => loaded)
    return Loaded ? createElement<P>(Loaded, props) : <Suspense fallback={<HeldKeys />}>{createElement<P>(Part, props)}</Suspense>
  }
}

/** Reads all parts that are for later. One that cannot be read is asked for again when it is opened, and says then why it is not there. */
export function loadLaterParts(): void {
  for (const load of loads) void load().catch(() => undefined)
}

function HeldKeys(): null {
  useEffect(() => {
    const hold = (event: KeyboardEvent) => {
      event.stopImmediatePropagation()
      if (!event.ctrlKey && !event.metaKey) event.preventDefault()
    }
    window.addEventListener('keydown', hold, { capture: true })
    return () => window.removeEventListener('keydown', hold, { capture: true })
  }, [])
  return null
}

import { useEffect, useEffectEvent, useState } from 'react'

/** How files came to the page, and onto or into which part of it. */
export type Arrival = { readonly source: 'drop' | 'paste'; readonly target: Element | null }

/** Takes files that are dropped anywhere on the page or pasted; returns whether files are being dragged over it. */
export function useFileDrop(onFiles: (files: readonly File[], arrival: Arrival) => void): boolean {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent(onFiles)
  useEffect(() => {
    let depth = 0
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const onEnter = (event: DragEvent) => {
      if (hasFiles(event)) {
        depth += 1
        setOver(true)
      }
    }
    const onLeave = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const onOver = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault()
    }
    const onDrop = (event: DragEvent) => {
      depth = 0
      setOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      take([...(event.dataTransfer?.files ?? [])], { source: 'drop', target: elementOf(event) })
    }
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      take(files, { source: 'paste', target: elementOf(event) })
    }
    const listening = new AbortController()
    const { signal } = listening
    window.addEventListener('dragenter', onEnter, { signal })
    window.addEventListener('dragleave', onLeave, { signal })
    window.addEventListener('dragover', onOver, { signal })
    window.addEventListener('drop', onDrop, { signal })
    window.addEventListener('paste', onPaste, { signal })
    return () => listening.abort()
  }, [])
  return isOver
}

function elementOf({ target }: Event): Element | null {
  return target instanceof Element ? target : null
}

import { useCallback } from 'react'

/** An image of this device's own bytes. */
export function BlobImage({ blob, alt }: { blob: Blob; alt: string }) {
  const show = useCallback(
    (element: HTMLImageElement) => {
      const url = URL.createObjectURL(blob)
      element.src = url
      return () => URL.revokeObjectURL(url)
    },
    [blob],
  )
  return <img ref={show} alt={alt} />
}

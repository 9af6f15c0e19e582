import { useEffect, useState } from 'react'
import type { PlaceOnPage } from '#shared/readings/reading'
import classes from './reading.module.css'

/** Frames a place on the picture in a box; the box is positioned. Only the first page of a document is shown. */
export function PlaceMark({ place, box }: { place: PlaceOnPage; box: HTMLElement | null }) {
  const [style, setStyle] = useState<Readonly<Record<string, number>>>()
  useEffect(() => {
    const picture = box?.querySelector('img')
    if (!box || !picture) return undefined
    const measure = () => {
      const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = picture
      setStyle({
        left: offsetLeft + place.x * offsetWidth - 3,
        top: offsetTop + place.y * offsetHeight - 2,
        width: place.width * offsetWidth + 6,
        height: place.height * offsetHeight + 4,
      })
    }
    // Once when it begins, when the picture has loaded, and when its pane changes.
    const observer = new ResizeObserver(measure)
    observer.observe(picture)
    observer.observe(box)
    return () => observer.disconnect()
  }, [place, box])
  return style && place.page === 0 ? <div className={classes.place} style={style} data-place aria-hidden /> : null
}

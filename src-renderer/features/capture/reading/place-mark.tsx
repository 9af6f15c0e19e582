import { useEffect, useState } from 'react'
import type { PlaceOnPage } from '#shared/readings/reading'
import classes from './reading.module.css'

/** Frames a place on the picture in a box; the box is positioned. Only the first page of a document is shown. */
export function PlaceMark({ place, box }: { place: PlaceOnPage; box: HTMLElement | null }) {
  const [style, setStyle] = useState<Readonly<Record<string, number>>>()
  useEffect(() => {
    const picture = box?.querySelector('img')
    if (!picture) return undefined
    const measure = () => {
      const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = picture
      setStyle({
        left: offsetLeft + place.x * offsetWidth - 3,
        top: offsetTop + place.y * offsetHeight - 2,
        width: place.width * offsetWidth + 6,
        height: place.height * offsetHeight + 4,
      })
    }
    measure()
    picture.addEventListener('load', measure)
    return () => picture.removeEventListener('load', measure)
  }, [place, box])
  return style && place.page === 0 ? <div className={classes.place} style={style} data-place aria-hidden /> : null
}

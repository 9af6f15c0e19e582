import { useState } from 'react'
import type { AttachmentRepresentation } from '#shared/contract/attachments'
import { localUrl, previewUrl } from '#renderer/api/attachments'
import { ReceiptStage, type ReceiptStageProps } from './receipt-stage'
import classes from './receipt-viewer.module.css'
import type { Size } from './viewport'

/** What a receipt of any type is shown with. */
export type ReceiptProps = Pick<ReceiptStageProps, 'viewport' | 'onStep' | 'place' | 'marks'> & {
  attachment: AttachmentRepresentation
  label: string
  onBroken: () => void
}

/** Types that a browser draws itself; TIFF is seen by its preview only. */
const drawn = new Set(['image/jpeg', 'image/jpg', 'image/png', 'image/gif'])

/** A photographed receipt: the preview at once, the original where zoom asks for more than the preview has. */
export function ReceiptImage({ attachment, label, viewport, place, marks, onStep, onBroken }: ReceiptProps) {
  const preview = previewUrl(attachment)
  const original = drawn.has(attachment.content_type) ? localUrl(attachment.url) : undefined
  const [natural, setNatural] = useState<Size>()
  const [failed, setFailed] = useState<readonly string[]>([])
  const [isSharp, setSharp] = useState(false)
  const base = [preview, original].find((url) => url !== undefined && !failed.includes(url))
  const wantsOriginal = viewport.zoom > 1.5 && original !== undefined && original !== base && !failed.includes(original)
  const fail = (url: string) => {
    const left = [preview, original].filter((known) => known !== undefined && known !== url && !failed.includes(known))
    setFailed([...failed, url])
    if (left.length === 0) onBroken()
  }
  if (base === undefined) return null
  return (
    <ReceiptStage
      natural={natural}
      viewport={viewport}
      place={place}
      marks={marks}
      onStep={onStep}
      draw={() => (
        <>
          <img
            src={base}
            alt={label}
            className={classes.picture}
            draggable={false}
            style={{ visibility: natural ? undefined : 'hidden' }}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setNatural({ width, height })}
            onError={() => fail(base)}
          />
          {wantsOriginal && (
            <img
              src={original}
              alt=""
              className={classes.over}
              draggable={false}
              style={{ visibility: isSharp ? undefined : 'hidden' }}
              onLoad={() => setSharp(true)}
              onError={() => fail(original)}
            />
          )}
        </>
      )}
    />
  )
}

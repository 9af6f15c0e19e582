import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Capture } from '#shared/contract/captures'
import type { CaptureSource } from '#shared/domain/captures'
import { deleteCaptures, restoreCaptures } from '../../api/captures'
import { failureText } from '../../api/failure-text'
import { newUid } from '../../state/draft'
import type { OutboxFile } from '../../state/draft-db'
import { announce, notifyFailure } from '../../state/notices'
import { captureFiles, captureOf, dropFiles, useOutbox } from '../../state/outbox'
import { useUndo } from '../../ui/feedback/use-undo'

/** One of the files of a quick capture. Without a capture it is not saved yet; `queued`: as the outbox has it. */
export interface Shot {
  readonly key: string
  readonly file: File
  readonly capture: Capture | undefined
  readonly queued: OutboxFile | undefined
}

/** The files of one quick capture: each is captured at once, all as one group. */
export interface Shots {
  readonly shots: readonly Shot[]
  readonly add: (files: readonly File[], source: CaptureSource) => void
  readonly remove: (shot: Shot) => void
  /** Continues with another group. */
  readonly startNext: () => void
}

/** Keeps the shots of a quick capture. */
export function useShots(): Shots {
  const { t } = useTranslation('capture')
  const [group, setGroup] = useState(newUid)
  const [made, setMade] = useState<readonly Pick<Shot, 'key' | 'file'>[]>([])
  const announced = useRef(0)
  const queue = useOutbox((state) => state.files)
  const offerUndo = useUndo({ scope: 'quick-capture-undo', title: t('quick.title') })
  useEffect(() => {
    const saved = made.filter(({ key }) => captureOf(key)).length
    if (saved > announced.current) announce(t('quick.savedNow', { count: saved - announced.current }))
    announced.current = made.length === 0 ? 0 : Math.max(saved, announced.current)
  }, [queue, made, t])
  const without = (key: string) => setMade((known) => known.filter((shot) => shot.key !== key))
  const fail = (error: unknown) => notifyFailure({ title: t('inbox.notDeleted'), message: failureText(error) })
  const remove = ({ key, file, capture }: Shot) => {
    without(key)
    if (!capture) return dropFiles([key])
    deleteCaptures([capture.id]).catch(fail)
    offerUndo(t('receipt.removed', { name: file.name }), () => {
      const back = () => setMade((known) => [...known, { key, file }])
      return restoreCaptures([capture.id]).then(back)
    })
  }
  return {
    shots: made.map(({ key, file }) => ({ key, file, capture: captureOf(key), queued: queue.find((item) => item.key === key) })),
    add: (files, source) => {
      const keys = captureFiles(files, { source, group })
      setMade((known) => [...known, ...files.flatMap((file, index) => (keys[index] ? { key: keys[index], file } : []))])
    },
    remove,
    startNext: () => {
      setGroup(newUid())
      setMade([])
    },
  }
}

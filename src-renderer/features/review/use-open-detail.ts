import { useState } from 'react'
import type { DetailCommand } from '../../records/expense/detail-slot'
import type { ReviewAddress } from './filters/use-review-address'

/** The detail next to the list. `openId`: the expense in it, null when it is closed; `command`: its last command. */
export type OpenDetail = {
  readonly openId: number | null
  readonly command: DetailCommand | null
  readonly show: (id: number) => void
  readonly follow: (id: number) => void
  readonly tell: (id: number, kind: DetailCommand['kind']) => void
}

/** The detail that the address opens. Only opening it is a step that the way back stops at. `id` is as the address has it. */
export function useOpenDetail(id: string | undefined, open: ReviewAddress['open']): OpenDetail {
  const [command, setCommand] = useState<DetailCommand | null>(null)
  const openId = id !== undefined && /^-?\d{1,15}$/.test(id) ? Number(id) : null
  const show = (shownId: number) => open(shownId, { isReplacing: openId !== null })
  return {
    openId,
    command,
    show,
    follow: (focusedId) => {
      if (openId !== null) show(focusedId)
    },
    tell: (toldId, kind) => {
      show(toldId)
      setCommand((last) => ({ kind, turn: (last?.turn ?? 0) + 1 }))
    },
  }
}

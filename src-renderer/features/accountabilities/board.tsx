import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Accountability } from '#shared/contract/accountabilities'
import { usePreferences } from '../../state/preferences'
import { formatCount } from '../../ui/values/format'
import { useShortcuts } from '../../ui/keys/shortcuts'
import classes from './accountabilities.module.css'
import { Card } from './card'
import { stepsOf } from './moves'
import { neighbourOf } from './neighbour'
import type { BoardColumn } from './use-board'
import type { Moves } from './use-moves'
import { useRelationTo } from './use-relation'

/** The five columns. The arrows go from card to card, a key moves the one that has the focus, and the focus goes along. */
export function Board({ columns, moves }: { columns: readonly BoardColumn[]; moves: Moves }) {
  const { t } = useTranslation('accountabilities')
  const relationTo = useRelationTo()
  const boardRef = useRef<HTMLDivElement>(null)
  const [chosenId, setChosenId] = useState<number>()
  const cards = columns.flatMap((column) => column.cards)
  const focused = cards.find(({ id }) => id === chosenId) ?? cards[0]
  const stepsFrom = (card: Accountability) => stepsOf({ status: moves.pending.get(card.id) ?? card.status }, relationTo(card))
  const stepOf = (direction: 'forward' | 'back') => focused && stepsFrom(focused)[direction]
  const step = (direction: 'forward' | 'back') => {
    const to = stepOf(direction)
    if (focused && to) moves.move(focused, to)
  }
  useShortcuts({ scope: 'accountability-board', title: t('title') }, [
    { id: 'forward', keys: 'f', label: t('forward'), run: () => step('forward'), when: () => stepOf('forward') !== undefined },
    { id: 'back', keys: 'b', label: t('back'), run: () => step('back'), when: () => stepOf('back') !== undefined },
  ])
  const focusCard = (id: number) => boardRef.current?.querySelector<HTMLElement>(`[data-card="${String(id)}"]`)?.focus()
  useFocusAlong(boardRef, focused && moves.pending.get(focused.id), () => {
    if (focused) focusCard(focused.id)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const next = neighbourOf(columns, focused?.id, event.key)
    if (!next || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    event.preventDefault()
    setChosenId(next.id)
    focusCard(next.id)
  }
  return (
    <div ref={boardRef} className={classes.board} onKeyDown={onKeyDown}>
      {columns.map((column) => (
        <Column key={column.status} column={column}>
          {column.cards.map((card) => (
            <Card
              key={card.id}
              accountability={card}
              steps={stepsFrom(card)}
              isTabStop={card.id === focused?.id}
              isMoving={moves.pending.has(card.id)}
              onFocus={() => setChosenId(card.id)}
              onMove={(to) => moves.move(card, to)}
            />
          ))}
        </Column>
      ))}
    </div>
  )
}

/** A card that changes its column is drawn again there: the focus follows it, if the board had it. */
function useFocusAlong(boardRef: { readonly current: HTMLElement | null }, place: string | undefined, refocus: () => void): void {
  const hadFocus = useRef(false)
  useEffect(() => {
    const board = boardRef.current
    const note = () => {
      hadFocus.current = board?.contains(document.activeElement) ?? false
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [boardRef])
  const follow = useEffectEvent(() => {
    if (hadFocus.current && document.activeElement === document.body) refocus()
  })
  useEffect(() => follow(), [place])
}

function Column({ column: { status, count, more }, children }: { column: BoardColumn; children: readonly ReactNode[] }) {
  const { t } = useTranslation('accountabilities')
  const language = usePreferences((state) => state.language)
  return (
    <section className={classes.column} aria-labelledby={`column-${status}`}>
      <h2 id={`column-${status}`} className={classes.columnTitle}>
        {t(`status.${status}`)} <span className={`${classes.quiet} tabular`}>{formatCount(count, language)}</span>
      </h2>
      {children.length === 0 ? <p className={classes.columnEmpty}>{t(`none.${status}`)}</p> : <ul className={classes.cards}>{children}</ul>}
      {more && (
        <Button variant="subtle" onClick={more}>
          {t('more')}
        </Button>
      )}
    </section>
  )
}

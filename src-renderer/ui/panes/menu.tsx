import type { MenuProps as MantineMenuProps, PopoverProps as MantinePopoverProps } from '@mantine/core'
import { cloneElement, useId, useRef, useState, type HTMLAttributes, type ReactElement, type ReactNode, type Ref } from 'react'
import { later } from './later'
import type { MenuParts } from './open-menu'

const loadMenu = async () => (await import('./open-menu')).OpenMenu
const OpenMenu = later(loadMenu)
const OpenPopover = later(async () => (await import('./open-menu')).OpenPopover)

type Target = HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement>; 'data-expanded'?: boolean }

/** `target`: the button that opens it; `children`: its dropdown, of Mantine's parts. */
type MenuProps = Omit<MantineMenuProps, 'children' | 'id'> & { target: ReactElement<Target>; children: (menu: MenuParts) => ReactNode }

/** A menu of Mantine, which is loaded later: at the latest when a menu is first opened. */
export function Menu({ target, opened, onChange, ...props }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLElement>(null)
  const [isOpenHere, setOpenHere] = useState(false)
  const isOpen = opened ?? isOpenHere
  const isNeeded = useEverTrue(isOpen)
  const change = (willOpen: boolean) => {
    setOpenHere(willOpen)
    onChange?.(willOpen)
  }
  return (
    <>
      {cloneElement(target, {
        id,
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        'aria-controls': isOpen ? `${id}-dropdown` : undefined,
        'data-expanded': isOpen || undefined,
        onClick: () => change(!isOpen),
        onPointerEnter: () => void loadMenu().catch(() => undefined),
      })}
      {isNeeded && <OpenMenu {...props} id={id} button={button} opened={isOpen} onChange={change} />}
    </>
  )
}

/** `target`: where it is shown; `label`: its name; `children`: what is in it. */
type PopoverProps = MantinePopoverProps & { opened: boolean; target: ReactNode; label: string | undefined }

/** A popover of Mantine, which is loaded later: at the latest when it is first opened. */
export function Popover({ target, opened, ...props }: PopoverProps) {
  const place = useRef<HTMLSpanElement>(null)
  const isNeeded = useEverTrue(opened)
  return (
    <>
      <span ref={place}>{target}</span>
      {isNeeded && <OpenPopover {...props} place={place} opened={opened} />}
    </>
  )
}

function useEverTrue(value: boolean): boolean {
  const [was, setWas] = useState(value)
  if (value && !was) setWas(true)
  return was
}

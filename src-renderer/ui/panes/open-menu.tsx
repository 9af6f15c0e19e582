import { Menu, Popover, type MenuProps, type PopoverProps } from '@mantine/core'
import { useEffect, useImperativeHandle, useState, type ReactNode, type Ref, type RefObject } from 'react'

/** Mantine's menu, as a menu is given it once it is loaded. */
export type MenuParts = typeof Menu

type OpenMenuProps = Omit<MenuProps, 'children'> & {
  button: RefObject<HTMLElement | null>
  opened: boolean
  children: (menu: MenuParts) => ReactNode
}

/** The menu of a button that is drawn without it. */
export function OpenMenu({ button, opened, children, ...props }: OpenMenuProps) {
  return (
    <Menu {...props} opened={useOpening(opened)}>
      <Menu.Target>
        <Place of={button} />
      </Menu.Target>
      {children(Menu)}
    </Menu>
  )
}

type OpenPopoverProps = PopoverProps & { place: RefObject<HTMLElement | null>; opened: boolean; label: string | undefined }

/** The popover at a place that is drawn without it. */
export function OpenPopover({ place, opened, label, children, ...props }: OpenPopoverProps) {
  return (
    <Popover {...props} opened={useOpening(opened)} withRoles={false}>
      <Popover.Target>
        <Place of={place} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}

/** False at first: Mantine takes note of the focus, to give it back, only of what opens after it was drawn. */
function useOpening(opened: boolean): boolean {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => queueMicrotask(() => setDrawn(true)), [])
  return opened && isDrawn
}

/** Stands for an element that is drawn elsewhere. */
function Place({ of, ref }: { of: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement | null> }) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => of.current, [of])
  return null
}

/** Gives the focus to what the keys of the screen are about: its list, else the screen itself. */
export function focusGround(): void {
  const ground = document.querySelector<HTMLElement>('main [role=grid]') ?? document.querySelector<HTMLElement>('main')
  ground?.focus({ preventScroll: true })
}

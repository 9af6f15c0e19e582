const controlSelector =
  'button, a[href], summary, input, select, textarea, [role=row], [role=button], [role=option], [role=menuitem], [role=menuitemradio], [role=tab]'

/** What a click is meant for: the control around what it hits; of a label, the field that it names. */
function controlOf(target: EventTarget | null): Element | null {
  if (!(target instanceof Element)) return null
  return target.closest('label')?.control ?? target.closest(controlSelector) ?? target
}

const labelOf = (control: Element | null) => (control instanceof HTMLButtonElement ? control.textContent : null)

/**
 * Keeps the second click of a double click from what the first has put under the pointer: a sheet's confirmation where its button
 * was, another row where a list has moved, the way back that a button has become. Once, in the app.
 */
export function guardDoubleClicks(): void {
  let first: Element | null = null
  let label: string | null = null
  const onClick = (event: MouseEvent) => {
    const control = controlOf(event.target)
    if (event.detail < 2) {
      first = control
      label = labelOf(control)
    } else if (control !== first || labelOf(control) !== label) {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
  }
  window.addEventListener('click', onClick, { capture: true })
}

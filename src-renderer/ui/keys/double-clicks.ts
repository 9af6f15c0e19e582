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
 * was, another row where a list has moved, the way back that a button has become. Nor does its press take the focus from where the first click
 * has put it. Once, in the app.
 */
export function guardDoubleClicks(): void {
  let first: Element | null = null
  let label: string | null = null
  const isForAnother = ({ target, detail }: MouseEvent) => {
    const control = controlOf(target)
    return detail >= 2 && (control !== first || labelOf(control) !== label)
  }
  const onPress = (event: MouseEvent) => {
    if (isForAnother(event)) event.preventDefault()
  }
  const onClick = (event: MouseEvent) => {
    if (isForAnother(event)) {
      event.preventDefault()
      event.stopImmediatePropagation()
    } else if (event.detail < 2) {
      first = controlOf(event.target)
      label = labelOf(first)
    }
  }
  window.addEventListener('mousedown', onPress, { capture: true })
  window.addEventListener('click', onClick, { capture: true })
}

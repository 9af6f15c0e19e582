import classes from '../parts.module.css'

/** The initials of the first and the last name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}

/** A person's picture or initials. Decoration: the name is next to it or in the label around it. */
export function PersonAvatar({ name, src, sizePx = 24 }: { name: string; src?: string; sizePx?: number }) {
  return (
    <span
      className={classes.avatar}
      style={{ width: sizePx, height: sizePx, fontSize: sizePx * 0.42 }}
      data-initials={src ? undefined : initialsOf(name)}
      aria-hidden
    >
      {src && <img src={src} alt="" />}
    </span>
  )
}

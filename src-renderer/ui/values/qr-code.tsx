import { encode } from 'uqr'

/** A text as a QR code that a phone reads: black on white in every colour scheme. `label` names it for screen readers. */
export function QrCode({ text, label, sizePx }: { text: string; label: string; sizePx: number }) {
  const { data, size } = encode(text)
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} width={sizePx} height={sizePx} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

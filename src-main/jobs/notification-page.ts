/** A message about what happened, in words: what {@link toText} and {@link toHtml} lay out. */
export interface DigestView {
  /** The language tag. */
  readonly lang: string
  readonly subject: string
  readonly hello: string
  readonly summary: { readonly title: string; readonly lines: readonly string[] } | undefined
  readonly groups: ReadonlyArray<{
    readonly title: string
    readonly amount: string | undefined
    readonly href: string | undefined
    readonly lines: ReadonlyArray<{ readonly time: string; readonly text: string }>
  }>
  readonly more: { readonly text: string; readonly link: Link } | undefined
  readonly why: string
  readonly settings: Link
}

interface Link {
  readonly text: string
  readonly href: string
}

/** The message as plain text. */
export function toText({ hello, summary, groups, more, why, settings }: DigestView): string {
  const parts = [
    hello,
    ...(summary ? [[`${summary.title}:`, ...summary.lines.map((line) => `- ${line}`)].join('\n')] : []),
    ...groups.map(({ title, amount, href, lines }) =>
      [
        amount === undefined ? title : `${title}, ${amount}`,
        ...lines.map(({ time, text }) => `- ${text} (${time})`),
        ...(href === undefined ? [] : [`  ${href}`]),
      ].join('\n'),
    ),
    ...(more ? [`${more.text} ${more.link.text}: ${more.link.href}`] : []),
    `--\n${why} ${settings.text}: ${settings.href}`,
  ]
  return `${parts.join('\n\n')}\n`
}

/** In HTML, people's text must not be markup. */
function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Colours of the light scheme stand in the elements, as many mail programs read nothing else; those of the dark one override them. */
const dark = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
body,.ground{background:#16191d!important;color:#e6e9ec!important}
.sheet{background:#1f2429!important;border-color:#343b43!important;color:#e6e9ec!important}
.group{border-color:#343b43!important}
.quiet{color:#a3adb7!important}
a{color:#aab4ff!important}
}`

const font = "font:15px/22px system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"
const quiet = 'class="quiet" style="color:#59636d;font-size:13px;line-height:20px"'

/** The message as HTML: one column, nothing loaded from anywhere, readable without styles. */
export function toHtml({ lang, subject, hello, summary, groups, more, why, settings }: DigestView): string {
  const parts = [
    `<p style="margin:0 0 16px">${escape(hello)}</p>`,
    ...(summary ? [toSummary(summary)] : []),
    ...groups.map(toGroup),
    ...(more ? [`<p style="margin:16px 0 0">${escape(more.text)} ${toLink(more.link)}</p>`] : []),
  ]
  return `<!doctype html>
<html lang="${escape(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escape(subject)}</title>
<style>${dark}
</style>
</head>
<body class="ground" style="margin:0;padding:24px 12px;background:#f7f8f9;color:#1d242b;${font}">
<div class="sheet" role="article" style="max-width:600px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #e3e6ea;border-radius:4px">
${parts.join('\n')}
</div>
<div style="max-width:600px;margin:12px auto 0;padding:0 24px">
<p ${quiet}>${escape(why)} ${toLink(settings)}</p>
</div>
</body>
</html>
`
}

function toSummary({ title, lines }: NonNullable<DigestView['summary']>): string {
  const items = lines.map((line) => `<li style="margin:0 0 4px">${escape(line)}</li>`)
  return `<h2 style="margin:0 0 8px;font-size:15px;line-height:22px">${escape(title)}</h2>
<ul style="margin:0 0 16px;padding:0 0 0 20px">
${items.join('\n')}
</ul>`
}

function toGroup({ title, amount, href, lines }: DigestView['groups'][number]): string {
  const name = href === undefined ? escape(title) : toLink({ text: title, href })
  const sum = amount === undefined ? '' : ` <span style="font-weight:normal;white-space:nowrap">${escape(amount)}</span>`
  const items = lines.map(
    ({ time, text }) =>
      `<p style="margin:4px 0 0;overflow-wrap:anywhere">${escape(text)} <span ${quiet}>${escape(time)}</span></p>`,
  )
  return `<div class="group" style="padding:12px 0;border-top:1px solid #e3e6ea">
<h2 style="margin:0;font-size:15px;line-height:22px;overflow-wrap:anywhere">${name}${sum}</h2>
${items.join('\n')}
</div>`
}

function toLink({ text, href }: Link): string {
  return `<a href="${escape(href)}" style="color:#4554b3">${escape(text)}</a>`
}

/** The target of a link and its text. */
export interface Link {
  readonly text: string
  readonly href: string
}

/** Escapes people's text for HTML. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** The elements have the light colours, which is all that many mail programs read; these dark ones override them. */
const dark = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
body,.ground{background:#131312!important;color:#ecebe8!important}
.sheet{background:#1a1a19!important;border-color:#3c3b38!important;color:#ecebe8!important}
.group{border-color:#3c3b38!important}
.quiet{color:#a5a199!important}
a:not(.button){color:#a7d3c4!important}
}`

const font = "font:15px/22px system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"
/** The attributes of secondary text. */
export const quiet = 'class="quiet" style="color:#67645e;font-size:13px;line-height:20px"'

/** The layout of a message: `body` and `foot` are HTML, the rest is text. */
export interface MailSheet {
  readonly lang: string
  readonly subject: string
  readonly body: readonly string[]
  readonly foot: string
}

/** A complete message: one column, loads nothing, readable without styles. */
export function toSheet({ lang, subject, body, foot }: MailSheet): string {
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
<body class="ground" style="margin:0;padding:24px 12px;background:#fbfbfa;color:#1b1a18;${font}">
<div class="sheet" role="article" style="max-width:600px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #e7e6e3;border-radius:4px">
${body.join('\n')}
</div>
<div style="max-width:600px;margin:12px auto 0;padding:0 24px">
<p ${quiet}>${foot}</p>
</div>
</body>
</html>
`
}

/** A link in HTML. */
export function toLink({ text, href }: Link): string {
  return `<a href="${escape(href)}" style="color:#2f5d50">${escape(text)}</a>`
}

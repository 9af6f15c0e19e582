import { type Link, escape, quiet, toLink, toSheet } from './mail-sheet'

/** The texts of a message about events, for {@link toText} and {@link toHtml}. */
export interface DigestView {
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

/** The message as HTML. */
export function toHtml({ lang, subject, hello, summary, groups, more, why, settings }: DigestView): string {
  const parts = [
    `<p style="margin:0 0 16px">${escape(hello)}</p>`,
    ...(summary ? [toSummary(summary)] : []),
    ...groups.map(toGroup),
    ...(more ? [`<p style="margin:16px 0 0">${escape(more.text)} ${toLink(more.link)}</p>`] : []),
  ]
  return toSheet({ lang, subject, body: parts, foot: `${escape(why)} ${toLink(settings)}` })
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
    ({ time, text }) => `<p style="margin:4px 0 0;overflow-wrap:anywhere">${escape(text)} <span ${quiet}>${escape(time)}</span></p>`,
  )
  return `<div class="group" style="padding:12px 0;border-top:1px solid #e7e6e3">
<h2 style="margin:0;font-size:15px;line-height:22px;overflow-wrap:anywhere">${name}${sum}</h2>
${items.join('\n')}
</div>`
}

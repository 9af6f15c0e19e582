/** Attributes of a span: names, counts and states; never ids of people, amounts or values. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>

/** How a span begins. By default its parent is the current span. */
export interface SpanStart {
  readonly facts?: SpanFacts
  readonly kind?: 'server' | 'client'
  /** The headers of a caller, who may have begun the trace; the span has no local parent. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
  /** Whether it has no parent. */
  readonly isRoot?: boolean
  /** Whether the span is skipped if there is no current span. */
  readonly isPart?: boolean
}

/** A span that has begun. */
export interface OpenSpan {
  /** Runs `work` with the span as the parent of new ones. */
  run<T>(work: () => T): T
  end(outcome?: { readonly name?: string; readonly facts?: SpanFacts; readonly error?: unknown }): void
}

/** A collector of spans. */
export interface Tracing {
  begin(name: string, start?: SpanStart): OpenSpan | undefined
  close(): Promise<void>
}

let tracing: Tracing | undefined

/** Collects this process's spans from now on; undefined stops it. */
export function collectSpans(by: Tracing | undefined): void {
  tracing = by
}

/** Whether spans are collected. */
export function areSpansCollected(): boolean {
  return tracing !== undefined
}

/** Begins a span; undefined if spans are not collected. */
export function beginSpan(name: string, start?: SpanStart): OpenSpan | undefined {
  return tracing?.begin(name, start)
}

/** Runs `work` in a span. */
export async function inSpan<T>(name: string, start: SpanStart, work: () => Promise<T>): Promise<T> {
  const span = tracing?.begin(name, start)
  if (!span) return work()
  try {
    const result = await span.run(work)
    span.end()
    return result
  } catch (error) {
    span.end({ error })
    throw error
  }
}

/** Runs a statement in a span with its text, which has placeholders for values. */
export function inStatement<T>(text: string, run: () => Promise<T>): Promise<T> {
  return tracing ? inSpan(...spanOf(text), run) : run()
}

/** The name and options of a statement's span. */
export function spanOf(text: string): [name: string, start: SpanStart] {
  const [word = 'SQL'] = /\w+/.exec(text) ?? []
  return [word.toUpperCase(), { kind: 'client', isPart: true, facts: { 'db.query.text': text } }]
}

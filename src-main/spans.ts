/** What is said of a span: names, counts and states; never ids of people, amounts or values. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>

/** How a span begins. Where nothing else is said, it is a part of the span that runs now. */
export interface SpanStart {
  readonly facts?: SpanFacts
  readonly kind?: 'server' | 'client'
  /** Headers of a caller, who may have begun the trace; the span is a part of no other here. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
  /** Whether it is a part of none. */
  readonly isRoot?: boolean
  /** Whether there is none where nothing runs that it could be a part of. */
  readonly isPart?: boolean
}

/** A span that has begun. */
export interface OpenSpan {
  /** Runs `work` so that what it begins is a part of the span. */
  run<T>(work: () => T): T
  end(outcome?: { readonly name?: string; readonly facts?: SpanFacts; readonly error?: unknown }): void
}

/** What collects spans. */
export interface Tracing {
  begin(name: string, start?: SpanStart): OpenSpan | undefined
  /** Sends what was collected. */
  close(): Promise<void>
}

let tracing: Tracing | undefined

/** Has the spans of this process collected from now on; undefined: no longer. */
export function collectSpans(by: Tracing | undefined): void {
  tracing = by
}

/** Whether spans are collected. */
export function areSpansCollected(): boolean {
  return tracing !== undefined
}

/** Begins a span; undefined where none are collected. */
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

/** Runs a statement in a span that has its text, with places where the values are. */
export function inStatement<T>(text: string, run: () => Promise<T>): Promise<T> {
  return tracing ? inSpan(...spanOf(text), run) : run()
}

/** The name and the beginning of a statement's span. */
export function spanOf(text: string): [name: string, start: SpanStart] {
  const [word = 'SQL'] = /\w+/.exec(text) ?? []
  return [word.toUpperCase(), { kind: 'client', isPart: true, facts: { 'db.query.text': text } }]
}

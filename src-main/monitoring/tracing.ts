import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type ReadableSpan, type SpanProcessor } from '@opentelemetry/sdk-trace-base'
import { SettingsError } from '#main/config/settings'
import { version } from '#main/config/version'
import type { OpenSpan, SpanStart, Tracing } from '#main/spans'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT }
const transaction = 'transaction'
type Headers = NonNullable<SpanStart['headers']>

const getter: TextMapGetter<Headers> = { keys: (headers) => Object.keys(headers), get: (headers, key) => headers[key] }

/**
 * Sends OpenTelemetry spans by OTLP over HTTP. The libraries read the standard environment variables for the destination, sampling and service name.
 * Throws {@link SettingsError} for an unsupported protocol.
 */
export function openTracing(env: NodeJS.ProcessEnv): Tracing {
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/json'
  if (!protocol.startsWith('http/'))
    throw new SettingsError(
      `Outlay sends traces by OTLP over HTTP, not by ${protocol}: name the collector's HTTP address, usually its port 4318.`,
    )
  const own = resourceFromAttributes({ 'service.name': 'outlay', 'service.version': version })
  const resource = defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }))
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new WorkedOnly(new BatchSpanProcessor(new OTLPTraceExporter()))] })
  const tracer = provider.getTracer('outlay', version)
  const propagator = new W3CTraceContextPropagator()
  const active = new AsyncLocalStorage<Context>()
  return {
    begin: (name, { facts = {}, kind, headers, isRoot = false, isPart = false } = {}) => {
      const running = active.getStore()
      if (isPart && running === undefined) return undefined
      const outer = headers ? propagator.extract(ROOT_CONTEXT, headers, getter) : ((isRoot ? undefined : running) ?? ROOT_CONTEXT)
      const span = tracer.startSpan(name, { kind: kind && kinds[kind], attributes: facts }, outer)
      return openSpan(span, (work) => active.run(trace.setSpan(outer, span), work))
    },
    close: () => provider.shutdown(),
  }
}

function openSpan(span: Span, run: OpenSpan['run']): OpenSpan {
  return {
    run,
    end: ({ name, facts = {}, error } = {}) => {
      if (name !== undefined) span.updateName(name)
      span.setAttributes(facts)
      // An error's message may contain values; its type does not.
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR }).setAttributes(kindOf(error))
      span.end()
    },
  }
}

function kindOf(error: unknown): Attributes {
  return { 'error.type': error instanceof Error ? error.constructor.name : typeof error }
}

/** Background rounds look for work all the time: only those that stored something are sent. */
class WorkedOnly implements SpanProcessor {
  readonly #next: SpanProcessor
  readonly #held = new Map<string, ReadableSpan[]>()
  constructor(next: SpanProcessor) {
    this.#next = next
  }
  onStart(...[span, context]: Parameters<SpanProcessor['onStart']>): void {
    if (isRound(span)) this.#held.set(span.spanContext().traceId, [])
    this.#next.onStart(span, context)
  }
  onEnd(span: ReadableSpan): void {
    const { traceId } = span.spanContext()
    const held = this.#held.get(traceId)
    if (held && span.name !== transaction) held.push(span)
    else for (const one of [...(held ?? []), span]) this.#next.onEnd(one)
    if (span.name === transaction || isRound(span)) this.#held.delete(traceId)
  }
  forceFlush(): Promise<void> {
    return this.#next.forceFlush()
  }
  shutdown(): Promise<void> {
    return this.#next.shutdown()
  }
}

function isRound({ name, parentSpanContext }: ReadableSpan): boolean {
  return parentSpanContext === undefined && name.startsWith('job ')
}

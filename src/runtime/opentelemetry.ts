// OpenTelemetry's own SDK, in its second major version: the last one for Node 20.
import type { Context, Span as OtelSpan } from '@opentelemetry/api'
import {
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { traceContextOf, traceparentOf } from '../std/trace.ts'
import type { Logger } from './logger.ts'
import { nowAndThen } from './rare-warnings.ts'
import type { Span, SpanStart, Tracing } from './tracing.ts'

/**
 * Sends spans by OTLP over HTTP (JSON). Where to, which and how many is said by the environment, as
 * OpenTelemetry specifies: OTEL_EXPORTER_OTLP_*, OTEL_TRACES_SAMPLER, OTEL_SERVICE_NAME, ….
 */
export function openTelemetry(logger: Logger): Tracing {
  const tell = nowAndThen(logger)
  const say = (text: string) => tell({ reason: text.slice(0, reasonMax) }, 'traces are not sent')
  const ignored = () => undefined
  diag.setLogger(
    { error: say, warn: say, info: ignored, debug: ignored, verbose: ignored },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'sluice' }))
    .merge(detectResources({ detectors: [envDetector] }))
  const provider = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('sluice')
  return { begin, close: () => provider.shutdown() }

  function begin({ name, kind, parent, atMs }: SpanStart): Span | null {
    const options = { kind: kinds[kind], ...(atMs === undefined ? {} : { startTime: atMs }) }
    const span = tracer.startSpan(name, options, contextOf(parent))
    return span.isRecording() ? recorded(span) : null
  }
}

const reasonMax = 200

const kinds = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
} as const

function recorded(span: OtelSpan): Span {
  const { traceId, spanId } = span.spanContext()
  return {
    traceparent: traceparentOf({ traceId, spanId, sampled: true }),
    end(attributes, failed = false) {
      span.setAttributes(attributes)
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

function contextOf(traceparent: string | null): Context {
  const parent = traceContextOf(traceparent)
  if (parent === null) return ROOT_CONTEXT
  const { sampled, ...ids } = parent
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE
  return trace.setSpanContext(ROOT_CONTEXT, { ...ids, traceFlags, isRemote: true })
}

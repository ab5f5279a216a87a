// OpenTelemetry's own SDK, in its second major version: the last one for Node 20.
import type { Context, Span as OtelSpan } from '@opentelemetry/api'
import {
  DiagLogLevel,
  diag,
  isSpanContextValid,
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
    traceparent: `00-${traceId}-${spanId}-01`,
    end(attributes, failed = false) {
      span.setAttributes(attributes)
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

/** A later version than 00 may have more behind the flags. */
const traceparentForm = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:$|-)/

function contextOf(traceparent: string | null): Context {
  const [, traceId = '', spanId = '', flags = '0'] = traceparentForm.exec(traceparent ?? '') ?? []
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  const parent = { traceId, spanId, traceFlags, isRemote: true }
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
}

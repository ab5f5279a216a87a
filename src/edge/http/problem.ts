import { Fault } from '../../faults.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Reply } from './route.ts'

export interface Telling {
  readonly logger: Logger
  /** Logs what can come with every request while something is away, but not each time. */
  readonly tell: (fields: object, message: string) => void
  /** What the addresses of the manual's pages begin with; absent: nothing serves it here. */
  readonly docs?: string | null
}

/**
 * The one table from errors to answers: a Fault says its code and its sentence; any other error is
 * a bug, and its answer only says the request's id. [requests#refusals]
 */
export function problem(error: unknown, requestId: string, { logger, tell, docs }: Telling): Reply {
  if (!(error instanceof Fault)) {
    logger.error({ requestId, err: error }, 'A request failed for a reason that nobody foresaw.')
    const message = `Something broke on our side. The request's id is ${requestId}.`
    return replyOf(new Fault('INTERNAL_SERVER_ERROR', message), docs)
  }
  if (error.status >= 500) {
    tell({ requestId, code: error.code, cause: messageOf(error.cause) }, error.message)
  }
  return replyOf(error, docs)
}

function replyOf(fault: Fault, docs: string | null = null): Reply {
  const link = docs === null || fault.docs === null ? {} : { doc_url: `${docs}${fault.docs}` }
  return {
    status: fault.status,
    body: { code: fault.wireCode, message: fault.message, ...link },
    headers: headersOf(fault),
  }
}

function headersOf(fault: Fault): Readonly<Record<string, string>> {
  return {
    ...fault.headers,
    ...(fault.retriable ? {} : { 'x-should-retry': 'false' }),
    ...(fault.retryAfterSeconds === null ? {} : { 'Retry-After': String(fault.retryAfterSeconds) }),
    ...(fault.code === 'UNAUTHORIZED' ? { 'WWW-Authenticate': 'Bearer' } : {}),
  }
}

const messageOf = (cause: unknown): string | null => (cause instanceof Error ? cause.message : null)

import { Fault } from '../../faults.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Reply } from './route.ts'

export interface Telling {
  readonly logger: Logger
  /** For what can come with every request, while something is away. */
  readonly tell: (fields: object, message: string) => void
}

/**
 * The one table from error to answer: a Fault says its code and its sentence, anything else is ours
 * and says nothing but the request's id. [requests#refusals]
 */
export function problem(error: unknown, requestId: string, { logger, tell }: Telling): Reply {
  if (error instanceof Fault) {
    if (error.status >= 500) {
      tell({ requestId, code: error.code, cause: messageOf(error.cause) }, error.message)
    }
    return {
      status: error.status,
      body: { code: error.wireCode, message: error.message },
      headers: headersOf(error),
    }
  }
  logger.error({ requestId, err: error }, 'A request failed for a reason that nobody foresaw.')
  return {
    status: 500,
    body: {
      code: 'INTERNAL_SERVER_ERROR',
      message: `Something broke on our side. The request's id is ${requestId}.`,
    },
  }
}

function headersOf(fault: Fault): Readonly<Record<string, string>> {
  return {
    ...(fault.retriable ? {} : { 'x-should-retry': 'false' }),
    ...(fault.retryAfterSeconds === null ? {} : { 'Retry-After': String(fault.retryAfterSeconds) }),
    ...(fault.code === 'UNAUTHORIZED' ? { 'WWW-Authenticate': 'Bearer' } : {}),
  }
}

const messageOf = (cause: unknown): string | null => (cause instanceof Error ? cause.message : null)

import { Fault } from '../../faults.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Reply } from './route.ts'

export interface Telling {
  readonly logger: Logger
  /** Logs what can come with every request while something is away, but not each time. */
  readonly tell: (fields: object, message: string) => void
}

/**
 * The one table from errors to answers: a Fault says its code and its sentence; any other error is
 * a bug, and its answer only says the request's id. [requests#refusals]
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

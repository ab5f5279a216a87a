import type { TraceLink, TraceLinks } from '../../parts/store/trace-links.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Tracing } from '../../runtime/tracing.ts'

export interface TracedNeeds {
  readonly tracing: Tracing
  readonly links: TraceLinks
  readonly logger: Logger
}

/** The links, but a failure costs no more than the rest of a trace. */
export function lenientLinks({ links, logger }: TracedNeeds): TraceLinks {
  return {
    put: (all: readonly TraceLink[]) => links.put(all).catch(told(undefined)),
    find: (subjects) =>
      subjects.length === 0 ? Promise.resolve(nothing) : links.find(subjects).catch(told(nothing)),
    drop: (subjects) => links.drop(subjects).catch(told(undefined)),
  }

  function told<T>(otherwise: T): (error: unknown) => T {
    return (error) => {
      logger.debug({ error }, 'a trace ends here: its links are out of reach')
      return otherwise
    }
  }
}

const nothing: ReadonlyMap<string, string> = new Map()

interface AccountPlace {
  readonly businessId: string
  readonly mode: string
  readonly customerId: string
  readonly entitlementId: string
}

export const ofAccount = ({ businessId, mode, customerId, entitlementId }: AccountPlace): string =>
  JSON.stringify(['account', businessId, mode, customerId, entitlementId])

export const ofMessage = (messageId: string): string => `message ${messageId}`

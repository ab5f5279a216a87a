import type { Environment } from '../support/server.ts'

/** What the servers of one test file stand on besides their directory. */
export interface Parts {
  /** Settings that name the servers, and what stops those. */
  open(): Promise<{ readonly environment: Environment; close(): Promise<void> }>
  /** Roles of further processes that run beside the one that tests talk to. */
  readonly companions: readonly string[]
}

const embedded: Parts = {
  open: () => Promise.resolve({ environment: {}, close: () => Promise.resolve() }),
  companions: [],
}

let chosen = embedded

/** For the first line of a test file, before anything imports `here.ts`. */
export function standOn(parts: Parts): void {
  chosen = parts
}

export const partsOfThisFile = (): Parts => chosen

import type { Environment } from '../support/process/server.ts'

/** Settings that name the servers, and what stops those. */
export interface OpenedParts {
  readonly environment: Environment
  close(): Promise<void>
}

/** What the servers of one test file use besides their directory. */
export interface Parts {
  open(): Promise<OpenedParts>
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

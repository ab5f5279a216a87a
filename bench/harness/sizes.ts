/**
 * How much of everything a run does. Ratios hold at every size except `smoke`, which proves
 * nothing.
 */
export interface Size {
  readonly name: 'smoke' | 'quick' | 'full'
  /** How many turns each ingest cell gets; the median counts. */
  readonly rounds: number
  readonly warmMs: number
  readonly windowMs: number
  /** Most events that one cell may send, so that no run fills a disk. */
  readonly eventsMax: number
  readonly customers: number
  readonly endToEndEvents: number
  readonly freshnessMs: number
  readonly starts: number
  /** Events in the archive before it is read, and reads of each kind. */
  readonly archivedEvents: number
  readonly archiveReads: number
  /** Events behind the console, a tenth as many customers, and how often it is asked each thing. */
  readonly consoleEvents: number
  readonly consoleReads: number
}

export const sizes = {
  smoke: {
    name: 'smoke',
    rounds: 1,
    warmMs: 50,
    windowMs: 200,
    eventsMax: 1_000_000,
    customers: 12,
    endToEndEvents: 5_000,
    freshnessMs: 600,
    starts: 1,
    archivedEvents: 2_000,
    archiveReads: 3,
    consoleEvents: 2_000,
    consoleReads: 2,
  },
  quick: {
    name: 'quick',
    rounds: 1,
    warmMs: 1_000,
    windowMs: 3_000,
    eventsMax: 10_000_000,
    customers: 110,
    endToEndEvents: 400_000,
    freshnessMs: 8_000,
    starts: 1,
    archivedEvents: 500_000,
    archiveReads: 50,
    consoleEvents: 100_000,
    consoleReads: 5,
  },
  full: {
    name: 'full',
    rounds: 5,
    warmMs: 1_000,
    windowMs: 4_000,
    eventsMax: 10_000_000,
    customers: 1_010,
    endToEndEvents: 3_000_000,
    freshnessMs: 30_000,
    starts: 3,
    archivedEvents: 2_000_000,
    archiveReads: 200,
    consoleEvents: 1_000_000,
    consoleReads: 10,
  },
} as const satisfies Record<string, Size>

/** A run: its size, and the folder for CPU profiles, if there is one. */
export type Run = Size & { readonly profile: string | null }

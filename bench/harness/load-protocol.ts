import type { Usage, Workload } from './workload.ts'

/** What the load generator is asked to send. Plain data: it runs in a process of its own. */
export interface LoadOrder {
  readonly workload: Workload
  readonly url: string
  readonly apiKey: string
  readonly connections: number
  /** The load stops by itself after so many events. */
  readonly eventsMax: number
  /** Events a second; null: as fast as the server takes them. */
  readonly rate: number | null
  /** The load stops by itself after so much time, whatever happens. */
  readonly deadlineMs: number
  /**
   * Whether a connection that breaks is only a reason to send again; otherwise it ends the load.
   */
  readonly bearsResets?: boolean
}

/** What had been answered with 200 at some moment, and how fast since the mark before. */
export interface LoadMark {
  /** Milliseconds of the generator's clock. */
  readonly at: number
  readonly events: number
  /** Answers of 503. The requests were sent again. */
  readonly refused: number
  /** Connections that broke before the answer. Their requests were sent again, too. */
  readonly reset: number
  readonly usage: Usage
  /**
   * Of the answers since the last mark, in milliseconds: at a given rate from the moment at which
   * each was due, so that a server that stalls is not spared.
   */
  readonly p50Ms: number
  readonly p99Ms: number
}

export type ToLoad =
  | { readonly kind: 'begin'; readonly order: LoadOrder }
  | { readonly kind: 'mark' }
  | { readonly kind: 'stop' }

export type FromLoad =
  | { readonly kind: 'ready' }
  | { readonly kind: 'mark'; readonly mark: LoadMark }
  /** Nothing is sent any more, and everything that was sent is answered. */
  | { readonly kind: 'done'; readonly mark: LoadMark }
  | { readonly kind: 'failed'; readonly message: string }

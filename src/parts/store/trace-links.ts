/** What a trace goes on with: usage of an account that is to be settled, a message to be sent. */
export interface TraceLink {
  readonly subject: string
  /** The `traceparent` of the span that led there. */
  readonly traceparent: string
}

/**
 * Which traces what is stored belongs to, from one process to the next, for an hour. Written only
 * for what is traced; nothing but traces depends on it.
 */
export interface TraceLinks {
  put(links: readonly TraceLink[]): Promise<void>
  /** By subject; those that have none are left out. */
  find(subjects: readonly string[]): Promise<ReadonlyMap<string, string>>
  drop(subjects: readonly string[]): Promise<void>
}

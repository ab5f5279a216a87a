/** The bounds of streams, for one process. [webhooks#stream] */
export const streamLimits = {
  /** Open at a time, and of one business. */
  openMax: 1_000,
  businessOpenMax: 100,
  /** How often one that has nothing to tell shows that it is there. */
  beatMs: 15_000,
  /** How often the store is asked whether there is more. */
  pollMs: 200,
  /** How many messages are read at a time, and how much of them is written at a time. */
  pageMax: 100,
  pieceCharactersMax: 16 * 1024,
  /** How many of a stream's newest messages are at hand for all of its readers. */
  newestMax: 200,
  newestCharactersMax: 256 * 1024,
  /** Connections, how many of them read messages, and how many of these for one business. */
  connectionsMax: 3,
  readsMax: 2,
  businessReadsMax: 1,
  /** How long a read may wait for its turn. */
  waitMs: 30_000,
  /** How often a stream that is being read is noted as such. */
  keepMs: 600_000,
} as const

/** Bounds of what a request brings: its head, its body, and the JSON in it. */
export const bodyLimits = {
  /** The target and all headers of a request: as much as node:http takes. */
  headBytesMax: 16 * 1024,
  /** What a request costs while it waits for its answer, besides its head and body. */
  requestBytes: 8 * 1024,
  /** What all open requests may cost together, as a share of the largest heap; above it 503. */
  requestsHeapShare: 1 / 4,
  /** Bound of `inflightBytesMax` as a share of the heap: parsed, a body is several times larger. */
  inflightHeapShare: 1 / 8,
  /** A request body, decompressed. [requests#bodies] */
  bodyBytesMax: 4 * 1024 * 1024,
  /** The form of a page, which anybody may send: all fields of ours together are far below it. */
  formBytesMax: 48 * 1024,
  formFieldsMax: 200,
  /**
   * How large a gzip body may become: so many times what was sent (events that are all alike shrink
   * to a fiftieth), or the second number if that is more. Else sending 4 KB could cost 4 MB.
   */
  inflationMax: 100,
  inflatedBytesMin: 64 * 1024,
  /** How many bodies of a business are decompressed at a time, and how many may wait. */
  inflationsMax: 2,
  businessInflationsMax: 1,
  businessInflationsWaitingMax: 64,
  /** All bodies and unacknowledged appends of one process together; above it 503. */
  inflightBytesMax: 256 * 1024 * 1024,
  /** Deeper than any schema of ours allows. Malicious bodies cost by their depth. */
  jsonDepthMax: 32,
  /** Entries of a list or object; lists and objects, and names, of a body. No request has more. */
  jsonEntriesMax: 2_000,
  jsonOpenedMax: 131_072,
  jsonNamesMax: 65_536,
  /** Smaller bodies are not scanned for what they would cost: the dearest of them takes 15 ms. */
  jsonScanBytesMin: 64 * 1024,
  /**
   * A body may come in so many pieces, and one more for every so many bytes: a piece costs about a
   * microsecond, however small. Pieces of one byte would cost more than everything else together.
   */
  bodyPiecesMin: 1_024,
  bodyPieceBytesMin: 256,
  /** How many characters of invalid JSON are searched for the mistake. */
  jsonFaultCharactersMax: 256 * 1024,
  /** No byte of a body for so long: 408. Below the 10 s after which uWS hangs up silently. */
  bodyStallMs: 8_000,
  /** How long a whole body may take. */
  bodyMs: 60_000,
} as const

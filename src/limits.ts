import assert from 'node:assert/strict'
import { bodyLimits } from './limits-bodies.ts'
import { catalogLimits } from './limits-catalog.ts'
import { rateLimits } from './limits-rates.ts'
import { day, hour, minute, second } from './std/instant.ts'

/**
 * Every bound of the system, with its reason where the name does not say it. Times are microseconds
 * unless the name ends in Ms; sizes are bytes.
 */
export const limits = {
  /** How often descriptors are counted, and how many must be left to accept more connections. */
  descriptorsMs: 500,
  descriptorsSpare: 16,
  ...bodyLimits,
  /** How long a handler may take; above it 503. */
  handlerMs: 30_000,
  /** How long drawing a paper may take, waiting included, and how many may wait for it. */
  paperMs: 20_000,
  papersWaitingMax: 64,
  /** Lines in which papers name the operator. */
  operatorLinesMax: 8,
  /** Dots of a logo, and bytes of one that is a JPEG, which papers hold as it is. */
  logoDotsMax: 4_000_000,
  logoJpegBytesMax: 200 * 1_024,
  /** The heap of the thread that draws: a paper of 1 000 lines takes some 100. */
  paperHeapMb: 256,
  /** How long that thread waits for another paper. */
  paperIdleMs: 60_000,
  /** How long the thread that makes the archive's indexes waits for another block. */
  indexingIdleMs: 60_000,
  /** How long advancing a test clock may take, which may apply years of boundaries. */
  clockMs: 600_000,
  /** How long an ingest may take: with the log away it answers 503 within 5 s. */
  ingestMs: 4_500,
  /**
   * How long, and how much of, a refused body is read and thrown away before the refusal is sent
   * and the connection closed: clients that are still sending would see a reset instead.
   */
  lingerMs: 2_000,
  lingerStallMs: 500,
  lingerBytesMax: 32 * 1024 * 1024,
  /**
   * For how long in a row bodies are worked on before everything else that the thread has to do:
   * some five of the largest usual ones.
   */
  bodySliceMs: 25,
  /** How long a body may wait for its turn before it is refused. */
  bodyWaitMs: 1_500,
  /**
   * The same for requests whose keys are not known yet: a slice, for how long others have the
   * thread before the next one, and how many may wait.
   */
  strangerSliceMs: 1,
  strangerRestMs: 3,
  /** After so many keys in a row that were guesses, the others have the thread for longer. */
  guessesInARow: 100,
  guessingRestMs: 19,
  strangersWaitingMax: 2_000,
  /** How often deadlines are looked at. */
  deadlineStepMs: 250,
  /** One record of the event log; Kafka takes 1 MB by default. */
  recordBytesMax: 512 * 1024,
  /**
   * How many traces of a record, or of a sidecar's request, can be followed further, where requests
   * are traced. As a header they take 72 bytes each.
   */
  recordTracesMax: 32,
  /** In how many stretches a refusal names its events: a header of some 800 bytes. */
  refusedStretchesMax: 100,
  /** Records of one partition that go to Kafka as one batch, which Kafka bounds. */
  kafkaBatchBytesMax: 1_000_000,
  /** After so many loads in a row, a size that had to be halved is doubled. */
  kafkaGrowAfter: 100,
  /** What the topics take: Kafka's default, which counts a few bytes more than we do. */
  kafkaMessageBytesMax: 1_048_588,
  /** One request to a broker: it takes 100 MB, but holds up the requests behind it. */
  kafkaRequestBytesMax: 4 * 1024 * 1024,
  /**
   * How long Kafka keeps usage events: measuring and archive may be down over a long weekend and
   * still find everything. An alarm rings at half of it. [machines#backpressure]
   */
  kafkaRetentionMs: 7 * 24 * 3_600_000,
  /** How long an append to Kafka may take; above it Kafka counts as away. Below `ingestMs`. */
  logAckMs: 4_000,
  /** How long one request of it may take, and how long a leader waits for its replicas. */
  logRequestMs: 3_500,
  logReplicasMs: 3_000,
  /** How much of one partition of Kafka is read ahead of measuring. */
  logAheadBytesMax: 4 * 1024 * 1024,
  /**
   * A partition's text is cut into pieces of about this many characters, so that records fill up.
   */
  pieceCharactersMax: 64 * 1024,
  /**
   * A log works on one append at a time (LMDB commits one, a broker one request of a connection). A
   * second one would only stand behind it, and who comes then would wait for two and a half of them
   * instead of for one and a half (`p50 at 50 %` of the bench distributed-edge).
   */
  appendsInFlightMax: 1,
  /** How much may wait for the event log: half a second's worth, so that callers hear in time. */
  packerBytesMax: 64 * 1024 * 1024,
  /** How long the oldest of them may have waited before others are refused. */
  packerWaitMs: 1_500,
  eventsPerRequestMax: 1_000,
  eventAgeMax: hour,
  eventLeadMax: 5 * minute,
  /** How long after the end of its cycle an event can still be voided. */
  voidGrace: hour,
  /** How long boundaries wait for a halted partition, whose usage is late usage after that. */
  haltedWait: 15 * minute,
  /** How far log time may step back, for `verify`: days are dropped by it. */
  dropMargin: hour,
  /** How late an end may be before `verify` calls it forgotten: many wait for each other. */
  endLagMax: hour,
  /** How long after its end a cycle's usage is sealed, and settling no longer loads it. */
  sealAfter: 2 * hour,
  /** `event_id`, `event_name`, `customer_id`. [events#metadata] */
  eventTextMax: 255,
  metadataDepthMax: 4,
  metadataKeysMax: 50,
  metadataKeyMax: 100,
  metadataValueMax: 500,
  pageSizeMax: 100,
  pageSizeDefault: 10,
  ...catalogLimits,
  /** How long a read waits for measuring to pass its `Sluice-After`. */
  sluiceAfterMs: 5_000,
  /**
   * How long a command waits for what is due before it: the log's margin for differing clocks, and
   * one beat of measuring.
   */
  dueFirstMs: 10_000,
  /** A revoked key or changed tier must act everywhere within 10 s; this leaves room. */
  keyCacheMs: 5_000,
  /** How often it is written down which keys were in use. */
  keyUseMs: 60_000,
  /** How far a test clock can run ahead of real time. */
  clockAheadMax: 20 * 366 * day,
  keyCacheEntriesMax: 10_000,
  ...rateLimits,
  /** How many keys one question to the store asks for. */
  keysPerLookupMax: 500,
  /** How long the store has rest from such questions after one that found nothing. */
  guessedRestMs: 10,
  /** How long the store may take to answer for a key before it counts as away. */
  keyLookupMs: 2_000,
  /** One statement of the edge, and of the engine. A caller at the edge has its 503 long before. */
  edgeStatementMs: 15_000,
  engineStatementMs: 30_000,
  /**
   * Connections of the edge for what reads and changes few rows; how many of them are for requests,
   * and how many for one business: always leaves room for others, and may use all the rest.
   */
  edgeConnectionsMax: 10,
  requestConnectionsMax: 8,
  businessConnectionsMax: 6,
  /** How long a request's statement waits for its turn, and how many of one business may. */
  connectionWaitMs: 5_000,
  businessWaitingMax: 1_000,
  /**
   * Reads that may look at far more than they answer (lists of events, explanations, deep pages,
   * filtered lists), with connections of their own: at a time, of one business, and how many of it
   * may wait. One keeps a core of the store busy; the highest tier may ask 240 times a minute.
   */
  scansMax: 4,
  businessScansMax: 1,
  businessScansWaitingMax: 32,
  /** After so long, half of what a business has read by them is forgotten. */
  scanUseHalfMs: 1_000,
  /** How long such a read may take, and one statement of it. */
  scanMs: 20_000,
  scanStatementMs: 10_000,
  /** How many events a list looks at to find one page. */
  scanEventsMax: 2_000_000,
  /** How long explaining one meter's usage may take; after it the answer is incomplete. */
  explainWalkMs: 5_000,
  /** Changes of one business's catalog: each makes others measure again what it moved. */
  catalogPacing: { burst: 50, everyMs: 100, waitingMax: 32 },
  /** A deeper page counts as a scan. */
  pageDepthMax: 1_000,
  /** One statement of a command, such as an audit or a backup's beginning; and of a migration. */
  commandStatementMs: 600_000,
  migrationStatementMs: 6 * 3_600_000,
  /** How often the store is asked while it is away. */
  storeRetryMs: 1_000,
  customerCacheEntriesMax: 200_000,
  /** Between our machines and Kafka's brokers, whose clocks give log time. */
  clockSkewMax: second,
  dedupeWindow: 24 * hour,
  /** For how long events can be read back. */
  archiveRetention: 90 * 24 * hour,
  /** How much the embedded log may hold that is not measured and archived yet; above it 503. */
  logBytesMax: 64 * 1024 * 1024 * 1024,
  /** How long the embedded log keeps what nothing needs, for a database put back from a copy. */
  logKept: 24 * hour,
  /** How much of that; nothing while the disk has less than twice its reserve free. */
  logKeptBytesMax: 4 * 1024 * 1024 * 1024,
  /** How much of the disk the embedded log leaves free; below it 503. */
  diskReserveBytes: 256 * 1024 * 1024,
  /** Disk that one of its commits needs besides twice its records, for the pages around them. */
  logCommitSpareBytes: 4 * 1024 * 1024,
  /** Free disk that nobody fills between two readings of the embedded log, half a second apart. */
  diskAmpleBytes: 8 * 1024 * 1024 * 1024,
  /** How much of the log one measuring transaction takes. */
  measureBytesMax: 4 * 1024 * 1024,
  /** Shorter than any election in Kafka, and than making a log anew. */
  unseenMax: second,
  /** How often the checkpoints of a process are compared with what it holds and with the log. */
  compareInterval: 5 * second,
  settleIntervalMs: 1_000,
  settleIntervalMsMax: 60_000,
  /** Of a business, in both modes together. */
  webhookEndpointsMax: 50,
  /** Headers of one endpoint: each attempt carries them all. */
  webhookHeadersMax: 50,
  webhookTimeoutMs: 15_000,
  /** How much of an endpoint's answer is read, and how much of it is kept with the attempt. */
  webhookAnswerBytesMax: 64 * 1024,
  webhookAnswerKeptBytesMax: 1_024,
  /** Attempts under way at once: of one process, and of one endpoint in it. */
  webhookAttemptsMax: 512,
  webhookAttemptsPerEndpointMax: 8,
  /** How soon a claimed delivery is free again when its process vanishes. */
  webhookLeaseMs: 30_000,
  /** For how long messages, deliveries and attempts are kept; what is due stays longer. */
  webhookRetention: 30 * 24 * hour,
  /** Deliveries of one endpoint that wait; more is kept, and sent when asked for. */
  webhookBacklogMax: 100_000,
  /** A longer Retry-After is cut to this. */
  webhookRetryAfterMax: 24 * hour,
  /** How long `/readyz` waits for each check; those of the engine are answered before that. */
  checkMs: 1_000,
  engineCheckMs: 850,
  engineAnswerMs: 950,
  shutdownMs: 10_000,
  /** The part of it that ending the process itself may take on a busy machine. */
  shutdownSpareMs: 2_500,
  /** How long a start that is cut short may take to notice. */
  startCutMs: 3_000,
} as const

// So that waiting callers are told that Kafka is away, and not that it took too long.
assert(limits.logReplicasMs < limits.logRequestMs && limits.logRequestMs < limits.logAckMs)
assert(limits.logAckMs < limits.ingestMs)

// Kafka bounds a batch, so one record must fit into a batch, with room for headers and framing.
assert(limits.recordBytesMax + 1_024 <= limits.kafkaBatchBytesMax)
assert(limits.kafkaBatchBytesMax < limits.kafkaMessageBytesMax)

// A retry of an event with a timestamp can trail the original by the age and the lead together;
// only the dedupe window stands between such a retry and a second charge.
assert(limits.dedupeWindow >= limits.eventAgeMax + limits.eventLeadMax)

// The largest request of events, each with all of its metadata, must pass.
assert(limits.jsonNamesMax > limits.eventsPerRequestMax * (limits.metadataKeysMax + 14))

// A lease that ends before its attempt would let a second process deliver at the same time.
assert(limits.webhookLeaseMs >= 1.5 * limits.webhookTimeoutMs)

// Earlier, events and voids are still expected, and each of them would break the seal.
assert(limits.sealAfter > Math.max(limits.eventAgeMax, limits.voidGrace))

// A piece is at most its cut plus one line, and a character at most three bytes: it must fit a
// record.
const lineCharactersMax =
  3 * 6 * limits.eventTextMax +
  limits.metadataKeysMax * 6 * (limits.metadataKeyMax + limits.metadataValueMax + 4) +
  1_024
assert(limits.pieceCharactersMax * 3 + lineCharactersMax <= limits.recordBytesMax)

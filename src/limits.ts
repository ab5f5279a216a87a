import assert from 'node:assert/strict'
import { day, hour, minute, second } from './std/instant.ts'

/**
 * Every bound of the system, with its reason where the name does not say it. Times are microseconds
 * unless the name ends in Ms; sizes are bytes.
 */
export const limits = {
  /** How often descriptors are looked at, and how many must be left to accept more connections. */
  descriptorsMs: 500,
  descriptorsSpare: 16,
  /** The target and all headers of a request; as much as node:http takes. */
  headBytesMax: 16 * 1024,
  /** What a request costs while it waits for its answer, besides its head and its body. */
  requestBytes: 8 * 1024,
  /** What all that are open may cost together, as a share of the largest heap; past it 503. */
  requestsHeapShare: 1 / 4,
  /** At most so much of it for what `inflightBytesMax` bounds: parsed, it is some times larger. */
  inflightHeapShare: 1 / 8,
  /** A request body, after inflating. [requests#bodies] */
  bodyBytesMax: 4 * 1024 * 1024,
  /**
   * What a body of gzip may become: so many times what was sent (events that are all alike take a
   * fiftieth), or this if that is more. Else 4 KB sent would be 4 MB to read.
   */
  inflationMax: 100,
  inflatedBytesMin: 64 * 1024,
  /** Bodies inflated at a time, of one business, and how many of it may wait. */
  inflationsMax: 2,
  businessInflationsMax: 1,
  businessInflationsWaitingMax: 64,
  /** All bodies and unacknowledged appends of one process together; past it 503. */
  inflightBytesMax: 256 * 1024 * 1024,
  /** JSON deeper than anything that a schema of ours allows; parsing depth is what a bomb costs. */
  jsonDepthMax: 32,
  /** Smaller bodies are not scanned for depth: the deepest of them parses in some 30 ms. */
  depthScanBytesMin: 256 * 1024,
  /**
   * A body may come in so many pieces, and one more for every so many bytes: each piece costs about
   * a microsecond, whatever is in it. Chunks of one byte would cost more than all else together.
   */
  bodyPiecesMin: 1_024,
  bodyPieceBytesMin: 256,
  /** Of what is not JSON, so many characters are searched for the place to name. */
  jsonFaultCharactersMax: 256 * 1024,
  /** No byte of a body for so long: 408. Below the 10 s at which uWS hangs up without a word. */
  bodyStallMs: 8_000,
  /** A whole body. */
  bodyMs: 60_000,
  /** A handler; past it 503. */
  handlerMs: 30_000,
  /** An advance of a test clock, which applies years of boundaries before it answers. */
  clockMs: 600_000,
  /** An ingest: with the log away it answers 503 within 5 s. */
  ingestMs: 4_500,
  /**
   * The rest of a refused body is read and thrown away so long and so far before the refusal is
   * sent and the connection closed: clients that are still writing would see a reset instead.
   */
  lingerMs: 2_000,
  lingerStallMs: 500,
  lingerBytesMax: 32 * 1024 * 1024,
  /**
   * Bodies are worked on for so long in a row, before whatever else the thread has to do: some
   * five of the largest usual ones.
   */
  bodySliceMs: 25,
  /** How long a body waits for that, at most; then it is refused. */
  bodyWaitMs: 1_500,
  /** How often deadlines are looked at. */
  deadlineStepMs: 250,
  /** One record of the event log; Kafka takes 1 MB by default. */
  recordBytesMax: 512 * 1024,
  /** Records that go to one partition of Kafka together, as one batch, which is what it bounds. */
  kafkaBatchBytesMax: 1_000_000,
  /** After so many loads in a row, those that had to shrink are tried at twice the size. */
  kafkaGrowAfter: 100,
  /** What the topics take: the broker counts a few bytes more. Kafka's own default. */
  kafkaMessageBytesMax: 1_048_588,
  /** One request to a broker: it takes 100 MB, but holds up those behind it. */
  kafkaRequestBytesMax: 4 * 1024 * 1024,
  /**
   * How long Kafka keeps usage events: measuring and archive may be down over a long weekend and
   * still find everything. An alarm rings at half of it. [machines#backpressure]
   */
  kafkaRetentionMs: 7 * 24 * 3_600_000,
  /** An append to Kafka; past it Kafka counts as away. Below `ingestMs`, so that it is told why. */
  logAckMs: 4_000,
  /** One request of it, and how long the leader of that waits for its replicas. */
  logRequestMs: 3_500,
  logReplicasMs: 3_000,
  /** What of one partition of Kafka is read ahead of measuring. */
  logAheadBytesMax: 4 * 1024 * 1024,
  /**
   * A partition's text is cut into pieces of about this many characters, so that records fill up.
   */
  pieceCharactersMax: 64 * 1024,
  appendsInFlightMax: 2,
  /**
   * Lines that wait for the event log: half a second of them, so that who waits is answered in
   * time.
   */
  packerBytesMax: 64 * 1024 * 1024,
  /** How long the first of them may have waited before others are refused. */
  packerWaitMs: 1_500,
  eventsPerRequestMax: 1_000,
  eventAgeMax: hour,
  eventLeadMax: 5 * minute,
  /** How long after the end of its cycle an event can still be voided. */
  voidGrace: hour,
  /** So long boundaries wait for a halted partition; its usage is late usage then. */
  haltedWait: 15 * minute,
  /** An end may be due for so long before `verify` calls it forgotten: many wait for each other. */
  endLagMax: hour,
  /** How long after its end a cycle's usage leaves what settling loads. */
  sealAfter: 2 * hour,
  /** `event_id`, `event_name`, `customer_id`. [events#metadata] */
  eventTextMax: 255,
  metadataDepthMax: 4,
  metadataKeysMax: 50,
  metadataKeyMax: 100,
  metadataValueMax: 500,
  pageSizeMax: 100,
  pageSizeDefault: 10,
  /**
   * Meters of a business and mode, and of one event name, archived ones included: each event is
   * compared with all of its name, by threads that measure everybody's.
   */
  metersMax: 2_000,
  metersPerNameMax: 100,
  /** How often a meter can be archived: each event of its name is compared with every range. */
  archivedRangesMax: 200,
  /** Changes of an entitlement's default links that measuring has at hand, `sealAfter` long. */
  linkStretchesMax: 500,
  creditsPerProductMax: 3,
  metersPerProductMax: 10,
  filterDepthMax: 3,
  filterClausesMax: 10,
  /** Fractional digits of a usage quantity. [meters#quantities] */
  usageScale: 18,
  precisionMax: 10,
  /** Names of customers, meters and entitlements; event names are eventTextMax. */
  nameMax: 255,
  productNameMax: 100,
  descriptionMax: 1_000,
  /** A local part of 64, `@`, a domain of 255. */
  emailMax: 320,
  phoneNumberMax: 50,
  unitMax: 50,
  /** Metadata of everything but usage events has shorter keys. [requests#metadata] */
  catalogMetadataKeyMax: 40,
  meterLinksMax: 50,
  /** int32 money, as in the public clients. [requests#metadata] */
  moneyMax: 2 ** 31 - 1,
  /** [credits#grants] */
  expiryDaysMin: 7,
  /** Expiries and periods that still end in years of four digits. */
  expiryDaysMax: 365_000,
  intervalCountMax: 1_000,
  trialDaysMax: 10_000,
  /** How long a read waits for measuring to pass its `Sluice-After`. */
  sluiceAfterMs: 5_000,
  /**
   * How long a command waits for what is due before it: the log's margin for clocks that differ,
   * and a beat of measuring.
   */
  dueFirstMs: 10_000,
  /** A revoked key or changed tier acts everywhere within 10 s; this leaves room. */
  keyCacheMs: 5_000,
  /** How far a test clock can run ahead of real time. */
  clockAheadMax: 20 * 366 * day,
  keyCacheEntriesMax: 10_000,
  /** The two windows of a rate limit. [requests#limits] */
  rateBurstMs: 1_000,
  rateSustainedMs: 60_000,
  /** Addresses whose windows a process remembers, twice: some 20 MB. */
  rateAddressesMax: 50_000,
  /** Addresses that a process tells Redis of in a minute: it must not fill up with strangers. */
  rateSharedAddressesMax: 20_000,
  /**
   * Redis answers for limits in a millisecond; past this a process counts alone. [requests#limits]
   */
  rateAnswerMs: 500,
  /** Keys that one question to the store is about. */
  keysPerLookupMax: 500,
  /** A key that the store does not answer for in time counts as: the store is away. */
  keyLookupMs: 2_000,
  /** One statement of the edge, and of the engine. Who asked at the edge has a 503 long before. */
  edgeStatementMs: 15_000,
  engineStatementMs: 30_000,
  /**
   * Connections of the edge for what reads and changes few rows, of them for requests, and of those
   * for one business: it leaves room for others whatever it does, and may use all the rest.
   */
  edgeConnectionsMax: 10,
  requestConnectionsMax: 8,
  businessConnectionsMax: 6,
  /** How long a statement of a request waits for its turn, and how many of one business may. */
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
  /** A whole one, and one statement of it. */
  scanMs: 20_000,
  scanStatementMs: 10_000,
  /** Events that a list looks at, to find a page of them. */
  scanEventsMax: 2_000_000,
  /** An explanation of one meter's usage; then it tells what it has seen, as not complete. */
  explainWalkMs: 5_000,
  /** Changes of one business's catalog: each makes others measure once more what it moved. */
  catalogPacing: { burst: 50, everyMs: 100, waitingMax: 32 },
  /** A page that lies deeper is looked for by scanning. */
  pageDepthMax: 1_000,
  /** One of a command, such as an audit or the beginning of a backup; and one of a migration. */
  commandStatementMs: 600_000,
  migrationStatementMs: 6 * 3_600_000,
  /** While the store is away it is asked no more often than this. */
  storeRetryMs: 1_000,
  customerCacheEntriesMax: 200_000,
  /** Between our machines and Kafka's brokers, whose clock log time is. */
  clockSkewMax: second,
  dedupeWindow: 24 * hour,
  /** How long events can be read back. */
  archiveRetention: 90 * 24 * hour,
  /** What the embedded log may hold that is not measured and archived yet; past it 503. */
  logBytesMax: 64 * 1024 * 1024 * 1024,
  /** How long the embedded log keeps what nobody needs, for a database restored from a copy. */
  logKept: 24 * hour,
  /** At most so much of it, and nothing of it while the disk is twice as full as its reserve. */
  logKeptBytesMax: 4 * 1024 * 1024 * 1024,
  /** Disk that the embedded log leaves free; below it 503. */
  diskReserveBytes: 256 * 1024 * 1024,
  /** Free disk that a commit of it needs besides twice its records: the pages around them. */
  logCommitSpareBytes: 4 * 1024 * 1024,
  /** One measuring transaction takes at most so much of the log. */
  measureBytesMax: 4 * 1024 * 1024,
  /** Shorter than any election of the event log, or making it anew, takes. */
  unseenMax: second,
  /** How often the checkpoints of a process are compared with what it holds and with the log. */
  compareInterval: 5 * second,
  settleIntervalMs: 1_000,
  settleIntervalMsMax: 60_000,
  /** Of a business, in both modes together. */
  webhookEndpointsMax: 50,
  webhookTimeoutMs: 15_000,
  /** How much of an endpoint's answer is read; nothing of it is kept. */
  webhookAnswerBytesMax: 64 * 1024,
  /** Attempts under way at once: of one process, and of one endpoint in it. */
  webhookAttemptsMax: 512,
  webhookAttemptsPerEndpointMax: 8,
  /** How long a claimed delivery stays claimed when its process vanishes. */
  webhookLeaseMs: 30_000,
  /** How long messages, deliveries and attempts are kept; what is due stays. */
  webhookRetention: 30 * 24 * hour,
  /** A longer Retry-After is cut to this. */
  webhookRetryAfterMax: 24 * hour,
  /** What `/readyz` gives each thing that it asks; those of the engine answer before the engine. */
  checkMs: 1_000,
  engineCheckMs: 850,
  engineAnswerMs: 950,
  shutdownMs: 10_000,
  /** Of it, what ending the process itself may take on a machine that is strained. */
  shutdownSpareMs: 2_500,
  /** What a start that is cut short may take to see it. */
  startCutMs: 3_000,
} as const

// Whoever waits for an append is told that Kafka is away, and not that it took too long.
assert(limits.logReplicasMs < limits.logRequestMs && limits.logRequestMs < limits.logAckMs)
assert(limits.logAckMs < limits.ingestMs)

// Kafka bounds a batch, and a record alone must fit one, with room for headers and framing.
assert(limits.recordBytesMax + 1_024 <= limits.kafkaBatchBytesMax)
assert(limits.kafkaBatchBytesMax < limits.kafkaMessageBytesMax)

// A retry of an event with a timestamp can trail the original by the age and the lead together;
// only the dedupe window stands between such a retry and a second charge.
assert(limits.dedupeWindow >= limits.eventAgeMax + limits.eventLeadMax)

// A lease that ends before its attempt would let a second process deliver at the same time.
assert(limits.webhookLeaseMs >= 1.5 * limits.webhookTimeoutMs)

// Before that, events and voids are still expected, and each of them would break the seal.
assert(limits.sealAfter > Math.max(limits.eventAgeMax, limits.voidGrace))

// A piece is at most its cut plus one line, and a character at most three bytes: it must fit a
// record.
const lineCharactersMax =
  3 * 6 * limits.eventTextMax +
  limits.metadataKeysMax * 6 * (limits.metadataKeyMax + limits.metadataValueMax + 4) +
  1_024
assert(limits.pieceCharactersMax * 3 + lineCharactersMax <= limits.recordBytesMax)

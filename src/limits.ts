import assert from 'node:assert/strict'
import { hour, minute } from './std/instant.ts'

/**
 * Every bound of the system, with its reason where the name does not say it. Times are microseconds
 * unless the name ends in Ms; sizes are bytes.
 */
export const limits = {
  /** A request body, after inflating. [ruling 7] */
  bodyBytesMax: 4 * 1024 * 1024,
  /** All bodies and unacknowledged appends of one process together; past it 503. */
  inflightBytesMax: 256 * 1024 * 1024,
  eventsPerRequestMax: 1_000,
  eventAgeMax: hour,
  eventLeadMax: 5 * minute,
  /** `event_id`, `event_name`, `customer_id`. [ruling 12] */
  eventTextMax: 255,
  metadataDepthMax: 4,
  metadataKeysMax: 50,
  metadataKeyMax: 100,
  metadataValueMax: 500,
  pageSizeMax: 100,
  pageSizeDefault: 10,
  creditsPerProductMax: 3,
  metersPerProductMax: 10,
  filterDepthMax: 3,
  filterClausesMax: 10,
  /** Fractional digits of a usage quantity. [ruling 14] */
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
  /** Metadata of everything but usage events has shorter keys. [contract A.5] */
  catalogMetadataKeyMax: 40,
  meterLinksMax: 50,
  /** int32 money, as in the public clients. [contract A.5] */
  moneyMax: 2 ** 31 - 1,
  /** [ruling 18] */
  expiryDaysMin: 7,
  /** Expiries and periods that still end in years of four digits. */
  expiryDaysMax: 365_000,
  intervalCountMax: 1_000,
  trialDaysMax: 10_000,
  /** How long a read waits for measuring to pass its `Sluice-After`. */
  sluiceAfterMs: 5_000,
  /** A revoked key or changed tier acts everywhere within 10 s; this leaves room. */
  keyCacheMs: 5_000,
  dedupeWindow: 24 * hour,
  /** One measuring transaction takes at most so much of the log. */
  measureBytesMax: 4 * 1024 * 1024,
  measureEventsMax: 20_000,
  settleIntervalMs: 1_000,
  settleIntervalMsMax: 60_000,
  webhookTimeoutMs: 15_000,
  /** How much of an endpoint's answer is read; nothing of it is kept. */
  webhookAnswerBytesMax: 64 * 1024,
  /** Attempts under way at once: of one process, and of one endpoint in it. */
  webhookAttemptsMax: 512,
  webhookAttemptsPerEndpointMax: 8,
  /** How long a claimed delivery stays claimed when its process vanishes. */
  webhookLeaseMs: 30_000,
  /** A longer Retry-After is cut to this. */
  webhookRetryAfterMax: 24 * hour,
  shutdownMs: 10_000,
} as const

// A retry of an event with a timestamp can trail the original by the age and the lead together; only
// the dedupe window stands between such a retry and a second charge.
assert(limits.dedupeWindow >= limits.eventAgeMax + limits.eventLeadMax)

// A lease that ends before its attempt would let a second process deliver at the same time.
assert(limits.webhookLeaseMs >= 1.5 * limits.webhookTimeoutMs)

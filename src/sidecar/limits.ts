import assert from 'node:assert/strict'
import { limits } from '../limits.ts'
import { minute } from '../std/instant.ts'

/**
 * Bounds of the sidecar alone, which leaves the memory to the program that it stands beside. Times
 * are in milliseconds where the name ends in Ms, else in microseconds; sizes are in bytes.
 */
export const sidecarLimits = {
  /**
   * The body of a request to the gateway: as much as proxies take unless they are told otherwise.
   */
  parcelBytesMax: 1024 * 1024,
  /**
   * Bounds of an answer of the gateway as a whole: how long it may take, and how long it may be.
   * The gateway itself answers within `limits.ingestMs`.
   */
  answerMs: 15_000,
  answerBytesMax: 64 * 1024,
  firstRetryMs: 200,
  lastRetryMs: 30_000,
  retryAfterMaxMs: 600_000,
  /** The bodies that are being received, and the requests that wait for the disk. */
  inflightBytesMax: 16 * 1024 * 1024,
  roomBytesMax: 8 * 1024 * 1024,
  /**
   * Requests that keep coming wait for each other before a sync: until none has come for a while,
   * and never for longer than that, nor once there is enough for one.
   */
  group: { quietMs: 3, mostMs: 15, enoughBytes: 32 * 1024 },
  /** After so many requests that were taken, a size that had to be halved is doubled. */
  growAfter: 100,
  /** A line of a stream: more than any event takes. */
  lineBytesMax: limits.recordBytesMax,
  /** How long a stream waits for room in the spool before the next try. */
  lineRetryMs: 500,
  /** How long after a refusal the sidecar still reports that it is not ready. */
  troubleMs: 10_000,
  /** How long before events are too old for the gateway somebody is warned. */
  ageWarning: 15 * minute,
  ageWarningEveryMs: 60_000,
  /** How long the sidecar goes on forwarding when it ends. What is left then stays in the spool. */
  drainMs: 5_000,
} as const

assert(sidecarLimits.answerMs > limits.ingestMs)
assert(sidecarLimits.inflightBytesMax > limits.bodyBytesMax)
assert(sidecarLimits.ageWarning < limits.eventAgeMax)

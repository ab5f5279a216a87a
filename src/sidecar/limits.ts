import assert from 'node:assert/strict'
import { limits } from '../limits.ts'
import { minute } from '../std/instant.ts'

/**
 * Bounds of the sidecar alone. It stands beside another program, which needs the memory more. Times
 * are milliseconds where the name ends in Ms, else microseconds; sizes are bytes.
 */
export const sidecarLimits = {
  /** The body of a request to the gateway. Proxies take as much unless told otherwise. */
  parcelBytesMax: 1024 * 1024,
  /** The whole of the gateway's answer, in time and size. It answers within `limits.ingestMs`. */
  answerMs: 15_000,
  answerBytesMax: 64 * 1024,
  firstRetryMs: 200,
  lastRetryMs: 30_000,
  retryAfterMaxMs: 600_000,
  /** Bodies under way, and requests that wait for the disk. */
  inflightBytesMax: 16 * 1024 * 1024,
  roomBytesMax: 8 * 1024 * 1024,
  /** So long after a refusal it counts as not ready: nobody may try again who asks that. */
  troubleMs: 10_000,
  /** So long before the gateway's window is over, somebody is told. */
  ageWarning: 15 * minute,
  ageWarningEveryMs: 60_000,
  /** What is left is forwarded so long at the end; then it stays in the spool. */
  drainMs: 5_000,
} as const

assert(sidecarLimits.answerMs > limits.ingestMs)
assert(sidecarLimits.inflightBytesMax > limits.bodyBytesMax)
assert(sidecarLimits.ageWarning < limits.eventAgeMax)

/** Bounds of how requests are counted. */
export const rateLimits = {
  /** The two windows of a rate limit. [requests#limits] */
  rateBurstMs: 1_000,
  rateSustainedMs: 60_000,
  /** How many addresses a process remembers windows of, twice: some 20 MB. */
  rateAddressesMax: 50_000,
  /** How many addresses a process counts in Redis per minute: strangers must not fill it up. */
  rateSharedAddressesMax: 20_000,
  /**
   * A process sets requests aside in Redis for so long, where a tier's burst is so large, and so
   * many at most. What it has not used then is put back within as long again.
   */
  rateReservedMs: 50,
  rateReservingBurstMin: 1_000,
  rateReservedMax: 5_000,
  /** Redis answers in a millisecond; past this a process counts alone. [requests#limits] */
  rateAnswerMs: 500,
} as const

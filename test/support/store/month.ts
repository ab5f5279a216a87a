import { setTimeout as sleep } from 'node:timers/promises'

const roomMs = 60_000

/**
 * Links of an entitlement's own count by the UTC calendar month: where the next one is about to
 * begin, waits for it, so that no test of them runs from one month into the other.
 */
export async function wellInsideAMonth(): Promise<void> {
  for (let left = leftMs(); left < roomMs; left = leftMs()) await sleep(left + 1)
}

function leftMs(): number {
  const now = new Date()
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime()
}

import { setTimeout as sleep } from 'node:timers/promises'

const roomMs = 60_000

/**
 * Waits for the next calendar month (UTC) where that is about to begin: links of an entitlement
 * count by the month, and a test of them must not run from one into the next.
 */
export async function wellInsideAMonth(): Promise<void> {
  for (let left = leftMs(); left < roomMs; left = leftMs()) await sleep(left + 1)
}

function leftMs(): number {
  const now = new Date()
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime()
}

/**
 * How many requests a business may make in one second, and in one minute. Both limits hold at once.
 */
export interface RateTier {
  readonly burst: number
  readonly sustained: number
}

/** No limit; shown to callers as the largest number. [requests#limits] */
export const unlimited: RateTier = {
  burst: Number.MAX_SAFE_INTEGER,
  sustained: Number.MAX_SAFE_INTEGER,
}

/** For requests without a valid key, counted by address. [requests#limits] */
export const withoutKey: RateTier = { burst: 20, sustained: 100 }

/** For pages and what they load, counted by address and apart from the API. [requests#limits] */
export const ofPages: RateTier = {
  burst: 10 * withoutKey.burst,
  sustained: 10 * withoutKey.sustained,
}

/** For invoices, besides the general limits. [requests#limits] */
export const invoiceTier: RateTier = { burst: 5, sustained: 30 }

/** For a business whose tier cannot be read. */
export const lowestTier: RateTier = { burst: 40, sustained: 240 }

/** Requests per second and per minute, by the name of the tier. [requests#limits] */
const named: Readonly<Record<string, RateTier>> = {
  '0': lowestTier,
  '1': { burst: 100, sustained: 1_000 },
  '2': { burst: 500, sustained: 5_000 },
  unlimited,
}

const own = /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/

/**
 * Reads `0`, `1`, `2`, `unlimited`, or the operator's own `BURST/SUSTAINED`: two whole numbers from
 * 1 on, of which the second is not below the first. Null for anything else.
 */
export function parseRateTier(text: string): RateTier | null {
  if (Object.hasOwn(named, text)) return named[text] ?? null
  const match = own.exec(text)
  if (match === null) return null
  const [burst, sustained] = [Number(match[1]), Number(match[2])]
  return sustained >= burst ? { burst, sustained } : null
}

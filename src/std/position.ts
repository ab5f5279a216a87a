/** For each partition, the offset after everything that the position covers. */
export type Position = ReadonlyMap<number, number>

/** The log that positions belong to. */
export interface PositionScope {
  readonly identity: string
  /** Identities of logs that this one continues, in which positions meant the same. */
  readonly formerly?: readonly string[]
  readonly partitions: number
}

/** The longest list of positions that is read; no real one comes near. */
const lengthMax = 16 * 1024

/**
 * A position in the form that callers get: `p1.<log identity>.0-17.3-44` (partition-offset),
 * without commas, so that several can be sent as one list. Callers need not understand it; it stays
 * valid for as long as the log is the same one, or one that continues it.
 * [events#read-your-own-usage, events#accepted]
 */
export function encodePosition(identity: string, position: Position): string {
  let text = startOf(identity)
  // Most have one partition, and need no list.
  const parts = position.size === 1 ? position : [...position].sort(([a], [b]) => a - b)
  for (const [partition, offset] of parts) text += `.${partition}-${offset}`
  return text
}

/** A process answers with positions of one log, so the beginning is encoded once. */
function startOf(identity: string): string {
  if (last.identity !== identity) last = { identity, start: `p1.${encodeIdentity(identity)}` }
  return last.start
}

let last = { identity: '', start: 'p1.' }

/** Dots and commas separate positions, so an identity is written without them. */
function encodeIdentity(identity: string): string {
  return encodeURIComponent(identity).replaceAll('.', '%2E')
}

/**
 * Reads one position, or several separated by commas, and merges them to the greatest offset of
 * each partition. Null when any of them is malformed, of another log, or names a partition that the
 * log does not have.
 */
export function decodePosition(text: string, scope: PositionScope): Position | null {
  if (text.length > lengthMax) return null
  const merged = new Map<number, number>()
  for (const part of text.split(',')) {
    const one = decodeOne(part.trim(), scope)
    if (one === null) return null
    for (const [partition, offset] of one) {
      merged.set(partition, Math.max(offset, merged.get(partition) ?? 0))
    }
  }
  return merged
}

function decodeOne(text: string, scope: PositionScope): Position | null {
  const [version, identity, ...parts] = text.split('.')
  const identities = [scope.identity, ...(scope.formerly ?? [])]
  if (version !== 'p1' || !identities.some((one) => encodeIdentity(one) === identity)) return null
  const position = new Map<number, number>()
  let previous = -1
  for (const part of parts) {
    const match = /^(0|[1-9]\d{0,8})-(0|[1-9]\d{0,15})$/.exec(part)
    const [partition, offset] = [Number(match?.[1]), Number(match?.[2])]
    // Partitions ascend, so that a position has one spelling; NaN fails every comparison.
    if (!(partition > previous && partition < scope.partitions && Number.isSafeInteger(offset))) {
      return null
    }
    position.set(partition, offset)
    previous = partition
  }
  return position
}

import { Fault } from '../../faults.ts'
import { limits } from '../../limits.ts'
import type { Metadata } from '../../rules/meter/usage-event.ts'
import { isOversize } from '../../std/number.ts'
import { fitsCharacters } from '../../std/text.ts'

/**
 * Checks what no schema can say of an event's metadata: at most four levels, metadata itself being
 * the first, keys of up to 100 characters, values of up to 500 as text. Throws
 * INVALID_REQUEST_BODY. Answers the path of the first integer beyond ±(2⁵³−1), null if there is
 * none. Reading has already changed such an integer, but its refusal comes later in the order of
 * refusals. [requests#refusals, events#metadata, meters#quantities]
 */
export function inspectMetadata(metadata: Metadata, index: number): string | null {
  let oversize: string | null = null
  // An own `__proto__` is a key like any other: JSON.parse makes it one, and for-in lists it.
  for (const key in metadata) {
    const value = metadata[key]
    refuseLongKey(key, index)
    if (typeof value === 'string') {
      if (!fitsCharacters(value, limits.metadataValueMax)) throw longValue(index, key)
    } else if (typeof value === 'number') {
      if (isOversize(value)) oversize ??= pathOf(index, key)
    } else if (typeof value === 'object' && value !== null) {
      const found = inspectNested(value, { index, key, depth: 2 })
      if (found) oversize ??= pathOf(index, key)
      if (!fitsCharacters(JSON.stringify(value), limits.metadataValueMax)) {
        throw longValue(index, key)
      }
    }
  }
  return oversize
}

interface Place {
  readonly index: number
  /** The top-level key under which the value stands. */
  readonly key: string
  readonly depth: number
}

/** Whether there is an integer beyond the bound anywhere inside. */
function inspectNested(value: object, place: Place): boolean {
  if (place.depth > limits.metadataDepthMax) {
    throw new Fault(
      'INVALID_REQUEST_BODY',
      `${pathOf(place.index, place.key)} is nested too deep: metadata holds at most ` +
        `${limits.metadataDepthMax} levels, itself included.`,
    )
  }
  const inside = { ...place, depth: place.depth + 1 }
  let oversize = false
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) refuseLongKey(key, place.index)
    if (typeof inner === 'number') oversize ||= isOversize(inner)
    else if (typeof inner === 'object' && inner !== null) {
      oversize = inspectNested(inner, inside) || oversize
    }
  }
  return oversize
}

function refuseLongKey(key: string, index: number): void {
  if (fitsCharacters(key, limits.metadataKeyMax)) return
  throw new Fault(
    'INVALID_REQUEST_BODY',
    `events[${index}].metadata: a key must not be longer than ${limits.metadataKeyMax} characters.`,
  )
}

const longValue = (index: number, key: string): Fault =>
  new Fault(
    'INVALID_REQUEST_BODY',
    `${pathOf(index, key)} must not be longer than ${limits.metadataValueMax} characters as text.`,
  )

const pathOf = (index: number, key: string): string => `events[${index}].metadata.${key}`

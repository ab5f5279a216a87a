import type { Owner } from '../../../src/rules/archive/line.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { after, formatInstant } from '../../../src/std/instant.ts'
import { seed, seeded } from '../../harness/random.ts'

/** Events that depend on nothing but their number, so that the same stream has the same events. */
export interface Stream {
  readonly owner: Owner
  readonly events: number
  readonly customers: number
  readonly from: Instant
  readonly to: Instant
}

export interface MadeEvent {
  readonly id: string
  readonly line: string
}

export const eventNames = ['completion.done', 'image.made', 'file.stored'] as const

/** Some 300 bytes: an id of random digits, as UUIDs are, and metadata that differs. */
export function eventOf(stream: Stream, number: number): MadeEvent {
  const id = idOf(number)
  const micros = Math.floor(((stream.to - stream.from) * number) / stream.events)
  const text = JSON.stringify({
    business_id: stream.owner.businessId,
    mode: stream.owner.mode,
    event_id: id,
    customer_id: customerOf(rankOf(number, stream.customers)),
    event_name: eventNames[mixed(number, 3) % 3],
    timestamp: formatInstant(after(stream.from, micros)),
    metadata: {
      model: mixed(number, 4) % 10 < 3 ? 'large' : 'small',
      tokens: mixed(number, 5) % 4_000,
      request: hexadecimal(mixed(number, 6)),
    },
  })
  return { id, line: `${text}\n` }
}

/** Ids that do not compress, and of which no two neighbours are alike. */
export const idOf = (number: number): string =>
  `evt_${hexadecimal(mixed(number, 1))}${hexadecimal(mixed(number, 2))}${hexadecimal(number)}`

export const customerOf = (rank: number): string => `cus_${String(rank).padStart(21, 'k')}`

/** The first customer sends 35 % of the events, the first five 78 %, the first ten 90 %. */
function rankOf(number: number, customers: number): number {
  const share = mixed(number, 7) % 100
  if (share < 35) return 0
  if (share < 78) return 1 + (share % 4)
  return share < 90 ? 5 + (share % 5) : 10 + (mixed(number, 8) % Math.max(1, customers - 10))
}

const hexadecimal = (word: number): string => word.toString(16).padStart(8, '0')

/** Numbers from 0 to `below` (exclusive), the same in every run. */
export function numbers(count: number, below: number): readonly number[] {
  const random = seeded(seed)
  return Array.from({ length: count }, () => Math.floor(random() * below))
}

function mixed(number: number, salt: number): number {
  let word = Math.imul(number ^ Math.imul(salt, 0x9e3779b1), 0x85ebca6b)
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35)
  word = Math.imul(word ^ (word >>> 16), 0x27d4eb2f)
  return (word ^ (word >>> 15)) >>> 0
}

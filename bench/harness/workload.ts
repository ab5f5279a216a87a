import assert from 'node:assert/strict'
import { seed, seeded } from './random.ts'

/** What the bodies are made of. Plain data: it is sent to the process that makes the load. */
export interface Workload {
  /** The customers by rank; the first sends most. */
  readonly customers: readonly string[]
  readonly eventName: string
  /** The timestamp of all events: bodies are made once and sent again and again with new ids. */
  readonly timestamp: string
  /** The beginning of every id, so that no two runs share an id. */
  readonly idPrefix: string
  readonly batch: number
  /**
   * How many events there are before bodies repeat, evenly spread over the customers; absent: some
   * 3 200, skewed.
   */
  readonly spread?: number
}

/** A request body in which the ids are overwritten before each sending. */
export interface Body {
  readonly bytes: Buffer
  /** Where the digits of each id begin. */
  readonly places: readonly number[]
  /** What its events add to the meters. */
  readonly usage: Usage
}

/** The usage of the three meters: events, all tokens, and the tokens of large completions. */
export interface Usage {
  readonly calls: number
  readonly tokens: number
  readonly large: number
}

export const noUsage: Usage = { calls: 0, tokens: 0, large: 0 }

export const usageSum = (a: Usage, b: Usage, times = 1): Usage => ({
  calls: a.calls + b.calls * times,
  tokens: a.tokens + b.tokens * times,
  large: a.large + b.large * times,
})

export const eventBytes = 240
export const eventName = 'completion.done'
/** Filter of the third meter. */
export const largeTokensMin = 100
const digits = 8

/** Distinct bodies of the workload: so many that they hold `spread` events, at least one. */
export function bodiesOf(workload: Workload): readonly Body[] {
  const random = seeded(seed)
  const count = Math.max(1, Math.ceil((workload.spread ?? bodyEvents) / workload.batch))
  return Array.from({ length: count }, () => bodyOf(workload, random))
}

const bodyEvents = 3_200

function bodyOf(workload: Workload, random: () => number): Body {
  let text = '{"events":['
  let usage = noUsage
  const places: number[] = []
  for (let index = 0; index < workload.batch; index += 1) {
    if (index > 0) text += ','
    const tokens = 1 + Math.floor(random() * 4_000)
    const model = random() < 0.3 ? 'large' : 'small'
    const { customers, spread } = workload
    const rank = spread === undefined ? rankOf : anyOf
    const customer = customers[rank(random, customers.length)] ?? ''
    const event = eventText(workload, { customer, model, tokens })
    places.push(text.length + event.indexOf(blank))
    text += event
    const large = model === 'large' && tokens > largeTokensMin ? tokens : 0
    usage = usageSum(usage, { calls: 1, tokens, large })
  }
  return { bytes: Buffer.from(`${text}]}`, 'latin1'), places, usage }
}

const blank = '0'.repeat(digits)

function eventText(
  { eventName: name, idPrefix, timestamp }: Workload,
  { customer, model, tokens }: { customer: string; model: string; tokens: number },
): string {
  const event = (request: string): string =>
    JSON.stringify({
      event_id: `${idPrefix}${blank}`,
      customer_id: customer,
      event_name: name,
      timestamp,
      metadata: { model, tokens, request },
    })
  const room = eventBytes - 1 - event('').length
  assert(room >= 0, 'An event of the workload does not fit its bytes.')
  return event('r'.repeat(room))
}

/**
 * The first customer sends 35 % of the events, the first five 78 %, the first ten 90 %.
 * [bench/README.md#the-workload]
 */
function rankOf(random: () => number, customers: number): number {
  const share = random()
  const rank =
    share < 0.35
      ? 0
      : share < 0.78
        ? 1 + Math.floor(random() * 4)
        : share < 0.9
          ? 5 + Math.floor(random() * 5)
          : 10 + Math.floor(random() * Math.max(1, customers - 10))
  return rank % customers
}

const anyOf = (random: () => number, customers: number): number => Math.floor(random() * customers)

/** Gives the body's events the numbers from `first` on as their ids. */
export function number({ bytes, places }: Pick<Body, 'bytes' | 'places'>, first: number): void {
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index] ?? 0
    for (let rest = first + index, digit = digits - 1; digit >= 0; digit -= 1, rest >>>= 4) {
      bytes[place + digit] = hexadecimal.charCodeAt(rest & 15)
    }
  }
}

const hexadecimal = '0123456789abcdef'

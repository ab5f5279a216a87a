import { after, formatInstant, millisecond, second } from '../../src/std/instant.ts'
import type { EventInput } from '../../src/wire/usage-event.ts'
import type { Adjustment } from './adjusting.ts'
import { eventName } from './clients.ts'
import type { Host } from './host.ts'
import { entitlementId } from './shop.ts'
import { openSimulation } from './simulate.ts'
import type { Fate, Process } from './world.ts'
import { beginning } from './world.ts'

/** Something that is to happen at a call: of which process, to which part, and after how many. */
export interface Cue {
  readonly call: string
  /** The beginning of the process's name; any by default. */
  readonly by?: string
  /** How many such calls go by before it. */
  readonly after?: number
  readonly fate?: Fate['kind']
  /** Done as the call is made, before anything of it happens. */
  readonly act?: (caller: Process) => void
}

export type Scene = ReturnType<typeof openScene>

/**
 * A world in which nothing happens by chance: every call takes a millisecond each way, and what
 * fails is what the test says.
 */
export function openScene({ partitions = 1, hosts = 2 } = {}) {
  const opened = openSimulation({ seed: 7, partitions, hosts, lost: 0 })
  const { world, site, fleet, clients } = opened
  const cues: { readonly cue: Cue; left: number }[] = []
  world.decideBy((process, call) => {
    const found = cues.find(({ cue }) => matches(cue, process, call))
    if (found !== undefined) found.left -= 1
    if (found === undefined || found.left >= 0) return { kind: 'answered', ...slow }
    cues.splice(cues.indexOf(found), 1)
    world.note('scene', `at ${call} of ${process.name}: ${found.cue.fate ?? 'something happens'}`)
    found.cue.act?.(process)
    return { kind: found.cue.fate ?? 'answered', ...slow }
  })
  const answers: (number | null)[] = []
  return {
    ...opened,
    at,
    when,
    send,
    adjust,
    holder,
    other,
    answers,
    usage,
    duplicates,
    ended,
    told,
  }

  /** At a moment, in seconds from the beginning. */
  function at(seconds: number, work: () => void): void {
    world.later(null, seconds * second, work)
  }

  function when(call: string, cue: Omit<Cue, 'call'>): void {
    cues.push({ cue: { ...cue, call }, left: cue.after ?? 0 })
  }

  /** One event each, in one request, again and again until it is answered 200. */
  function send(seconds: number, ids: readonly string[], to: readonly number[] = [0, 1]): void {
    const events = ids.map(eventOf)
    clients.begin(seconds * second, async () => {
      for (const event of events)
        clients.promises.sent.set(eventName(of, event), { scope: of, event })
      for (let tries = 0; tries < 40; tries += 1) {
        const host = fleet.hosts()[to[tries % to.length] ?? 0]
        const answer = await clients.ask((one) => one.ingest(of, { events }), host)
        answers.push(answer)
        if (answer === 200) {
          for (const event of events) clients.promises.accepted.add(eventName(of, event))
          return
        }
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    })
  }

  function eventOf(id: string): EventInput {
    return {
      event_id: id,
      customer_id: payer.customerId,
      event_name: 'call',
      timestamp: formatInstant(beginning),
      metadata: { size: 2 },
    }
  }

  function adjust(seconds: number, type: Adjustment['type'], amount: bigint): void {
    const adjustment = { key, type, amount, idempotencyKey: `${type} at ${seconds}` }
    clients.promises.asked.set(adjustment.idempotencyKey, adjustment)
    clients.begin(seconds * second, async () => {
      const answer = await clients.ask((host) => host.adjust(adjustment))
      if (answer === 200) clients.promises.adjusted.set(adjustment.idempotencyKey, adjustment)
    })
  }

  /** The process that holds the partition, as the group sees it. */
  function holder(partition = 0): Host {
    const names = site.log.holdersOf(partition)
    const found = fleet.hosts().find(({ process }) => names.includes(process.name))
    if (found === undefined) throw new Error(`Nobody holds ${partition}.`)
    return found
  }

  /** The number of a process that does not hold partition 0. */
  function other(): number {
    return fleet.hosts().findIndex((host) => host !== holder())
  }

  /** How many events count. */
  function usage(): number {
    const rows = [...site.store.tables().usage.values()]
    return rows.find(({ meterId }) => meterId === 'mtr_calls')?.events ?? 0
  }

  function duplicates(): number {
    const rows = [...site.store.tables().checkpoints.values()]
    return rows.reduce((sum, { totals }) => sum + totals.duplicates, 0)
  }

  /** Whether somebody said so, or called it. */
  function told(what: string): boolean {
    return world.trace.some((line) => line.what.includes(what))
  }

  /** To its rest, after so many seconds at the earliest. */
  function ended(seconds = 3): Promise<readonly string[]> {
    return opened.rest(after(beginning, seconds * second))
  }
}

const of = { businessId: 'bus_one', mode: 'test' } as const
const payer = { ...of, customerId: 'cus_a' }
const key = { ...payer, entitlementId }

const slow = { there: millisecond, back: millisecond }

function matches({ call: wanted, by = '' }: Cue, process: Process, call: string): boolean {
  return call.startsWith(wanted) && process.name.startsWith(by)
}

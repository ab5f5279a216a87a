import { Fault } from '../faults.ts'
import type { Belief, ClockReading, FirstBeliefs, Remembered } from '../std/belief.ts'
import { apart, believedTime, believing, firstBeliefs } from '../std/belief.ts'
import type { Duration, Instant } from '../std/instant.ts'
import { after, formatInstant, second } from '../std/instant.ts'
import type { Check } from './checks.ts'
import { degraded, fine } from './checks.ts'
import type { BelievedClock, TimeCells } from './clock.ts'
import { keptClock, processTime, timeCells } from './clock.ts'
import type { Logger } from './logger.ts'
import type { Loop } from './loop.ts'
import { loop } from './loop.ts'
import type { MachineTime } from './machine-time.ts'

/** What the store knows of the time. */
export interface StoreTime {
  /** The time of the store's clock, and what any process last believed. */
  recall(): Promise<{ readonly now: Instant; readonly memory: Remembered | null }>

  /** Stores what is believed, unless it is null; answers the time of the store's clock. */
  remember(told: { readonly at: Instant; readonly monotonic: Duration } | null): Promise<Instant>
}

export interface TimeKeepingNeeds {
  readonly machine: MachineTime
  readonly store: StoreTime
  readonly logger: Logger
  /** Called after every look with how far a clock is ahead of what is believed. */
  readonly differs: (clock: 'system' | 'store', ahead: Duration) => void
}

/** Keeps the time of a process, for all of its threads. [guarantees#clocks] */
export interface TimeKeeping {
  readonly clock: BelievedClock
  /** The memory from which `keptClock` reads in other threads. */
  readonly cells: TimeCells
  /** Degraded while a clock differs from what is believed. */
  check(): Check
  /** Looks at the clocks; happens by itself every second. */
  look(): void
  /** Asks the store; happens by itself every ten seconds. */
  ask(): Promise<void>
  close(): void
}

const lookMs = 1_000
const askMs = 10_000

/** How long the store's last answer is of use. */
const staleAfter = 30 * second

export async function keepTime(needs: TimeKeepingNeeds): Promise<TimeKeeping> {
  const { machine, store, logger } = needs
  const recalled = await store.recall()
  let heard = { at: recalled.now, monotonic: machine.monotonic() }
  let beliefs: FirstBeliefs = firstBeliefs(reading(), recalled.memory)
  const cells = timeCells()
  let wrong: string | null = null
  look()
  await ask()
  const again = (name: string, everyMs: number, work: () => void | Promise<void>): Loop =>
    loop({
      name,
      idleMs: everyMs,
      restsFirst: true,
      logger,
      async work() {
        await work()
        return false
      },
    })
  const loops = [again('time', lookMs, look), again('time of the store', askMs, ask)]
  for (const one of loops) one.start()
  return { clock: keptClock(cells), cells, check, look, ask, close }

  function reading(): ClockReading {
    const monotonic = machine.monotonic()
    const since = monotonic - heard.monotonic
    return {
      monotonic,
      wall: machine.wall(),
      store: since > staleAfter ? null : after(heard.at, since),
    }
  }

  function look(): void {
    const seen = reading()
    const { present, sure } = beliefs
    beliefs = { present: believing(present, seen), sure: believing(sure, seen) }
    const base = seen.monotonic - processTime()
    cells[0] = base + beliefs.present.offset
    cells[1] = base + beliefs.sure.offset
    tell(seen, present)
  }

  function tell(seen: ClockReading, before: Belief): void {
    const { present } = beliefs
    const at = believedTime(present, seen.monotonic)
    needs.differs('system', seen.wall - at)
    if (seen.store !== null) needs.differs('store', seen.store - at)
    if (before.doubted !== null && Math.abs(present.offset - before.offset) > second) {
      logger.warn(
        { now: formatInstant(at) },
        'the clock was steady for ten minutes: it is believed',
      )
    }
    const now = wrongOf(seen, beliefs)
    const key = now?.key ?? null
    if (key === wrong) return
    wrong = key
    if (now === null) logger.info({ now: formatInstant(at) }, 'all clocks agree')
    else logger.error({ now: formatInstant(at), ...now.fields }, now.message)
  }

  async function ask(): Promise<void> {
    const { present, sure } = beliefs
    const [asked, monotonic] = [machine.monotonic(), machine.monotonic()]
    // While the two differ it is not known for how long no process ran, so the stored memory is
    // left alone.
    const isSure = Math.abs(present.offset - sure.offset) <= second
    const told = isSure ? { at: believedTime(present, monotonic), monotonic } : null
    try {
      const at = await store.remember(told)
      const answered = machine.monotonic()
      heard = { at, monotonic: (asked + answered) / 2 }
    } catch (error) {
      // The store is away, which is reported elsewhere; its clock is unknown for now.
      if (error instanceof Fault && error.code === 'UNAVAILABLE') return
      logger.error({ err: error }, 'what is believed of the time cannot be remembered')
    }
  }

  function check(): Check {
    const now = wrongOf(reading(), beliefs)
    return now === null ? fine : degraded(now.message)
  }

  function close(): void {
    for (const one of loops) void one.stop()
  }
}

interface Wrong {
  readonly key: string
  readonly message: string
  readonly fields: object
}

/** What an operator should look at; null while all clocks agree. */
function wrongOf(seen: ClockReading, { present, sure }: FirstBeliefs): Wrong | null {
  const at = believedTime(present, seen.monotonic)
  const told = (key: string, clock: Instant, message: string): Wrong => {
    const aheadSeconds = Math.round((clock - at) / second)
    return { key, message: `${message} (${aheadSeconds} s).`, fields: { aheadSeconds } }
  }
  if (present.doubted !== null) {
    return told(
      'system',
      seen.wall,
      'The system clock has moved away from the time that has passed; it is believed once it has been steady for ten minutes and the database says the same',
    )
  }
  if (Math.abs(sure.offset - present.offset) > second) {
    return told(
      'start',
      believedTime(sure, seen.monotonic),
      'Nobody was here to see how the time passed: nothing is dropped, renewed or expired beyond the time that was believed last until the clock has been steady for ten minutes',
    )
  }
  if (seen.store !== null && Math.abs(seen.store - at) > apart) {
    return told('store', seen.store, "The database's clock differs from the time that is believed")
  }
  return null
}

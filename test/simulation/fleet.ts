import type { Offset, Partition } from '../../src/parts/event-log/port.ts'
import type { Duration } from '../../src/std/instant.ts'
import { second } from '../../src/std/instant.ts'
import { clockDrifts, clockSteps } from './bent-clock.ts'
import type { Host, Site } from './host.ts'
import { startHost } from './host.ts'
import type { Tables } from './tables.ts'
import type { Process } from './world.ts'

export type Fleet = ReturnType<typeof openFleet>

/** The processes of one world; each is started again some time after it is gone. */
export function openFleet(site: Site, count: number) {
  const { world, log, store } = site
  const { random } = world
  const hosts = Array.from({ length: count }, (_, index) => startHost(site, nameOf(index, 1)))
  const starts = hosts.map(() => 1)
  const downFor = new Map<Process, Duration>()
  /** Partitions that lost what cannot be brought back, and the offset up to which they did not. */
  const ruined = new Map<Partition, Offset>()
  let lost = false
  let restored = false
  let remade = false
  world.onDeath(begin)
  return {
    site,
    hosts: (): readonly Host[] => hosts,
    ruined: ruinedNow,
    /** Whether accepted events may be in no log and no book. */
    hasLost: () => lost || ruinedNow().size > 0,
    wasRestored: () => restored,
    wasRemade: () => remade,
    kill,
    stop,
    pause,
    moveClock,
    bendClock,
    ruin,
    restoreStore,
    poison,
    appendAgain,
    trim,
    say,
  }

  function say(what: string, work: () => void): void {
    world.note('faults', what)
    work()
  }

  function kill({ process }: Host, down: Duration = random.between(0.05, 3) * second): void {
    downFor.set(process, down)
    world.kill(process)
  }

  function begin(process: Process): void {
    const index = hosts.findIndex((host) => host.process === process)
    if (index < 0) return
    world.later(null, downFor.get(process) ?? random.between(0.05, 3) * second, () => {
      starts[index] = (starts[index] ?? 0) + 1
      hosts[index] = startHost(site, nameOf(index, starts[index] ?? 0))
    })
  }

  /** Stops it like SIGTERM does: it finishes first. */
  function stop(host: Host): void {
    world.note(host.process.name, 'is told to stop')
    world.within(host.process, () => void host.stop())
  }

  function pause({ process }: Host, length: Duration): void {
    if (process.paused || !process.alive) return
    world.pause(process)
    world.later(null, length, () => world.resume(process))
  }

  function moveClock(host: Host, by: Duration): void {
    world.note(host.process.name, `its time moves by ${by}`)
    host.clock.believe(by)
  }

  /** Steps or drifts the machine's clock for some seconds; nothing may follow from it. */
  function bendClock(host: Host, length: Duration): void {
    const { clock, process } = host
    if (random.chance(0.3)) {
      const rate = random.pick(clockDrifts)
      world.note(process.name, `its clock drifts by ${rate}`)
      clock.drift(rate)
      world.later(null, length, () => clock.drift(0))
      return
    }
    const by = random.pick(clockSteps)
    world.note(process.name, `its clock steps by ${by}`)
    clock.step(by)
    world.later(null, length, () => clock.step(-by))
  }

  function ruin(kind: 'truncated' | 'recreated' | 'trimmed'): void {
    if (kind === 'recreated') {
      remade = true
      for (const { partition, nextOffset } of checkpoints())
        if (nextOffset > 0) ruined.set(partition, 0)
      lost = ruined.size > 0
      if (lost) say('the log is made anew', log.recreate)
      return
    }
    const [found] = random.shuffled(checkpoints()).filter(({ partition, nextOffset }) => {
      const { first, end } = log.bounds(partition)
      return kind === 'truncated' ? first < nextOffset : end > nextOffset
    })
    if (found === undefined) return
    const { partition, nextOffset } = found
    const by = 1 + random.below(2)
    if (kind === 'trimmed') {
      say(`${partition} is trimmed too far`, () => log.trimTo(partition, nextOffset + by))
      return
    }
    const left = Math.max(log.bounds(partition).first, nextOffset - by)
    lost = true
    ruined.set(partition, left)
    say(`${partition} loses its tail`, () => log.truncate(partition, left))
  }

  /**
   * Also partitions from which something was trimmed that is not measured, or no longer is after a
   * restore.
   */
  function ruinedNow(): ReadonlySet<Partition> {
    const partitions = Array.from({ length: log.partitions }, (_, partition) => partition)
    const trimmed = partitions.filter((partition) => {
      const next = store.tables().checkpoints.get(partition)?.nextOffset ?? 0
      return log.bounds(partition).first > next
    })
    return new Set([...ruined.keys(), ...trimmed])
  }

  function checkpoints() {
    return [...store.tables().checkpoints.values()]
  }

  /**
   * A copy of the books that never measured what the log has lost agrees with the log again, and
   * goes on.
   */
  function restoreStore(copy: Tables): void {
    restored = true
    for (const [partition, left] of ruined)
      if ((copy.checkpoints.get(partition)?.nextOffset ?? 0) <= left) ruined.delete(partition)
    store.restore(copy)
  }

  function poison(partition: Partition): void {
    if (!log.isOpen(partition)) return
    const value = random.pick(['{"half', 'no json\n', '\u0000', '[]\n{}\n'])
    log.append([{ partition, value: Buffer.from(value), events: 2 }])
  }

  function appendAgain(partition: Partition): void {
    const all = log.recordsOf(partition)
    const { events, value } = all[random.below(all.length)] ?? {}
    if (!log.isOpen(partition)) return
    if (events !== undefined && value !== undefined) log.append([{ partition, value, events }])
  }

  /**
   * Trims what is measured. Where the log lost its tail and gives those offsets again, what stands
   * there now is not, and no retention is so short that it is gone before anybody has looked.
   */
  function trim(partition: Partition): void {
    const next = store.tables().checkpoints.get(partition)?.nextOffset ?? 0
    const upTo = random.below(next + 1)
    log.trim(partition, Math.min(upTo, ruined.get(partition) ?? upTo))
  }
}

const nameOf = (index: number, start: number): string => `${'ABCDEFG'[index] ?? 'Z'}${start}`

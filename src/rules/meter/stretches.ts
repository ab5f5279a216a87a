import assert from 'node:assert/strict'
import { limits } from '../../limits.ts'
import type { Cycle, Frequency } from '../../std/calendar.ts'
import type { Instant } from '../../std/instant.ts'
import { after, minute } from '../../std/instant.ts'
import type { Link, Stretch } from './route.ts'
import { linkAt } from './route.ts'

/** Terms that hold from some moment on. */
export interface Terms {
  readonly frequency: Frequency
  readonly links: readonly Link[]
}

/** Begins a new cycle at `at`: the cycle before ends there, and later stretches are replaced. */
export const restarted = (
  stretches: readonly Stretch[],
  at: Instant,
  { frequency, links }: Terms,
): readonly Stretch[] => [...before(stretches, at), { from: at, anchor: at, frequency, links }]

/** New links from `at` on in the same cycle. Later cycles are as long as `terms` says. */
export function retermed(
  stretches: readonly Stretch[],
  open: Cycle,
  { at, terms }: { readonly at: Instant; readonly terms: Terms },
): readonly Stretch[] {
  const current = lastOf(before(stretches, open.end))
  const next: Stretch = { ...current, from: at, links: terms.links }
  const kept = [...before(stretches, at), next]
  return current.cycle === undefined && sameFrequency(current.frequency, terms.frequency)
    ? kept
    : [...fixed(kept, open), { from: open.end, anchor: open.end, ...terms }]
}

/** Ends the open cycle at `end`; later cycles are counted from there, on the last terms. */
export function endingAt(
  stretches: readonly Stretch[],
  open: Cycle,
  end: Instant,
): readonly Stretch[] {
  assert(open.start < end)
  const { frequency, links } = lastOf(stretches)
  const cycle = { start: open.start, end }
  return [
    ...fixed(before(stretches, open.end), cycle).filter(({ from }) => from < end),
    { from: end, anchor: end, frequency, links },
  ]
}

/** Other terms from the end of the open cycle on. */
export const followedBy = (
  stretches: readonly Stretch[],
  open: Cycle,
  terms: Terms,
): readonly Stretch[] => [
  ...before(stretches, open.end),
  { from: open.end, anchor: open.end, ...terms },
]

/** Takes back what was to follow the open cycle, whose links go on. */
export function continued(
  stretches: readonly Stretch[],
  open: Cycle,
  frequency: Frequency,
): readonly Stretch[] {
  const kept = before(stretches, open.end)
  const current = lastOf(kept)
  return current.cycle === undefined && sameFrequency(current.frequency, frequency)
    ? kept
    : [...kept, { from: open.end, anchor: open.end, frequency, links: current.links }]
}

/**
 * What a change at `at` makes of the stretches, with the terms that it takes back. Events may be
 * ahead of their time, so usage of a stretch that was still to come may be measured already. It
 * stays worth what that stretch has said: its terms stand on the stretch that holds in its place.
 * Later ones are forgotten, since nothing can have been measured under them.
 */
export function keepingTerms(
  was: readonly Stretch[],
  changed: readonly Stretch[],
  at: Instant,
): readonly Stretch[] {
  const reached = after(at, limits.eventLeadMax + changingMax)
  return was
    .filter(({ from }) => from <= reached)
    .reduce((kept, { from, links, withdrawn = [] }) => {
      const lost = [...withdrawn, ...links].filter((link) => linkAt(kept, from, link) === undefined)
      return lost.length === 0 ? kept : standingAt(kept, from, lost)
    }, changed)
}

/** Until a change is written, events are measured under what was before it. */
const changingMax = minute

function standingAt(
  stretches: readonly Stretch[],
  from: Instant,
  lost: readonly Link[],
): readonly Stretch[] {
  const holding = stretches.findLastIndex((stretch) => stretch.from <= from)
  return stretches.map((stretch, index) =>
    index === Math.max(0, holding)
      ? { ...stretch, withdrawn: [...(stretch.withdrawn ?? []), ...lost] }
      : stretch,
  )
}

/** Fixes the cycle of its stretches. A stretch that began earlier is cut where the cycle begins. */
function fixed(stretches: readonly Stretch[], cycle: Cycle): readonly Stretch[] {
  const { start } = cycle
  const earlier = before(stretches, start)
  const inside = stretches.slice(earlier.length)
  const reaching = inside[0]?.from === start ? undefined : earlier.at(-1)
  const pieces = reaching === undefined ? inside : [{ ...reaching, from: start }, ...inside]
  return [...earlier, ...pieces.map((stretch) => ({ ...stretch, anchor: start, cycle }))]
}

const before = (stretches: readonly Stretch[], at: Instant): readonly Stretch[] =>
  stretches.filter(({ from }) => from < at)

function lastOf(stretches: readonly Stretch[]): Stretch {
  const last = stretches.at(-1)
  assert(last !== undefined)
  return last
}

const sameFrequency = (a: Frequency, b: Frequency): boolean =>
  a.count === b.count && a.interval === b.interval

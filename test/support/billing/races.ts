import { applyFirst, nextBoundary, sweep } from '../../model/billing/boundaries.ts'
import type { Addressed } from '../../model/billing/model.ts'
import { call } from '../../model/billing/model.ts'
import type { ModelState } from '../../model/billing/state.ts'

export interface Raced {
  readonly calls: readonly Addressed[]
  /** The calls that had ended before the clock moved. */
  readonly early: readonly number[]
  /** How far the clock moved; null where it did not. */
  readonly seconds: number | null
}

/**
 * A state within a race: which calls are still to be committed, and what the others were answered.
 */
interface Halfway {
  readonly state: ModelState
  readonly pending: readonly number[]
  readonly told: readonly string[]
  readonly moved: boolean
}

/**
 * All states that a race may end in: its calls in every order, each at its own moment. A call
 * applies what is due by its own clock before it is decided, and may commit after calls whose
 * clocks are behind.
 */
export function outcomesOf(
  before: ModelState,
  { calls, early, seconds }: Raced,
): readonly ModelState[] {
  const outcomes: ModelState[] = []
  const base = structuredClone(before)
  const all = calls.map((_, index) => index)
  explore({ state: base, pending: all, told: [], moved: seconds === null })
  return outcomes

  function explore({ state, pending, told, moved }: Halfway): void {
    if (!moved && pending.length === calls.length - early.length) {
      explore({ state: movedOn(state), pending, told, moved: true })
      return
    }
    if (pending.length === 0) outcomes.push(ended(state, told))
    const moment = (index: number): number => momentOf(index, moved)
    for (const index of pending) {
      const rest = pending.filter((each) => each !== index)
      if (moved || early.includes(index)) {
        const mine = structuredClone(state)
        const answers = [...told]
        answers[index] = commit(mine, index, moment(index))
        explore({ state: mine, pending: rest, told: answers, moved })
      }
      const looked = structuredClone(state)
      if (applyDue(looked, { by: moment(index), behind: Math.min(...rest.map(moment)) })) {
        explore({ state: looked, pending, told, moved })
      }
    }
  }

  function momentOf(index: number, moved: boolean): number {
    const isLate = seconds !== null && moved && !early.includes(index)
    return before.now + 1 + index + (isLate ? seconds : 0)
  }

  function movedOn(state: ModelState): ModelState {
    const next = structuredClone(state)
    next.now = before.now + (seconds ?? 0)
    sweep(next)
    return next
  }

  function commit(state: ModelState, index: number, at: number): string {
    const one = calls[index]
    if (one === undefined) throw new Error('a call that is not there')
    state.now = at
    state.answers = []
    call(state, one)
    return state.answers[0] ?? ''
  }

  function ended(state: ModelState, told: readonly string[]): ModelState {
    const next = structuredClone(state)
    next.answers = [...before.answers, ...told]
    next.now = before.now + 1 + calls.length + (seconds ?? 0)
    return next
  }
}

/**
 * Applies what is due by one clock, up to and including the first boundary that is not due yet by a
 * clock behind it. A call does so before it is decided, and what it has applied stays applied where
 * it is then refused. Answers whether anything was due.
 */
function applyDue(
  state: ModelState,
  { by, behind }: { readonly by: number; readonly behind: number },
): boolean {
  state.now = by
  for (let applied = false; ; applied = true) {
    const at = nextBoundary(state)
    if (at === null || at > by || !applyFirst(state)) return applied
    if (at > behind) return true
  }
}

export function orders(of: readonly number[]): readonly (readonly number[])[] {
  if (of.length < 2) return [of]
  return of.flatMap((first) =>
    orders(of.filter((each) => each !== first)).map((rest) => [first, ...rest]),
  )
}

import { sweep } from '../../model/billing/boundaries.ts'
import type { Addressed } from '../../model/billing/model.ts'
import { call } from '../../model/billing/model.ts'
import type { ModelState } from '../../model/billing/state.ts'

export interface Raced {
  readonly calls: readonly Addressed[]
  /** Those that had ended before the clock moved. */
  readonly early: readonly number[]
  /** How far the clock moved; null: it did not. */
  readonly seconds: number | null
}

/** What a race may lead to: its calls in every order, each at its own moment. */
export function outcomesOf(
  state: ModelState,
  { calls, early, seconds }: Raced,
): readonly ModelState[] {
  const all = calls.map((_, index) => index)
  const late = seconds === null ? [] : all.filter((index) => !early.includes(index))
  const ways = orders(all).filter((way) =>
    late.every((index) => way.indexOf(index) >= early.length),
  )
  return (seconds === null ? orders(all) : ways).map((way) => {
    const next = structuredClone(state)
    const told: string[] = []
    const move = (): void => {
      next.now = state.now + (seconds ?? 0)
      sweep(next)
    }
    for (const [turn, index] of way.entries()) {
      if (seconds !== null && turn === early.length) move()
      const one = calls[index]
      if (one === undefined) continue
      next.now = state.now + 1 + index + (late.includes(index) ? (seconds ?? 0) : 0)
      next.answers = []
      call(next, one)
      told[index] = next.answers[0] ?? ''
    }
    if (seconds !== null && early.length === calls.length) move()
    next.answers = [...state.answers, ...told]
    next.now = state.now + 1 + calls.length + (seconds ?? 0)
    return next
  })
}

export function orders(of: readonly number[]): readonly (readonly number[])[] {
  if (of.length < 2) return [of]
  return of.flatMap((first) =>
    orders(of.filter((each) => each !== first)).map((rest) => [first, ...rest]),
  )
}

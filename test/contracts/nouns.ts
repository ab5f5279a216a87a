import { describe, expect, test } from 'vitest'
import type { CommitOutcome, RowChange } from '../../src/parts/store/changes.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import { changeWith } from '../support/store/decided.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'

/** Alone, or with what is written beside it. */
type Rows = RowChange | readonly RowChange[]

/** A new row of a noun, one change of it, and how either is read. */
export interface Noun {
  readonly id: string
  /** What must be there before it. */
  readonly before?: readonly RowChange[]
  readonly made: Rows
  readonly changed: Rows
  /** Another change, decided on what `changed` was decided on. */
  readonly again: Rows
  readonly read: () => Promise<unknown>
  readonly seen: readonly [unknown, unknown]
}

interface Committing {
  readonly commit: (...rows: readonly RowChange[]) => Promise<CommitOutcome>
  readonly store: () => ScratchStore
}

/** The change is refused, and nothing of it is written. */
export async function refusingAll({ commit, store }: Committing, rows: Rows): Promise<void> {
  const before = await store().contents()
  expect(await commit(...[rows].flat())).toBe('moved')
  expect(await store().contents()).toBe(before)
}

/** Those whose next version the store draws, so that it gives none twice. */
const drawnNouns = new Set([
  'checkout_session',
  'dispute',
  'payment',
  'payment_method',
  'payout',
  'refund',
])

/** What every store promises of each noun's rows [machines#writers]. */
export function testNouns(
  nouns: Readonly<Record<string, () => Noun>>,
  on: Committing & { readonly scope: () => Scope },
): void {
  const { commit } = on
  const refusing = (rows: Rows) => refusingAll(on, rows)

  /** With what must be there before it. */
  async function begun(open: () => Noun): Promise<Noun> {
    const noun = open()
    if (noun.before !== undefined) await commit(...noun.before)
    return noun
  }

  describe.each(Object.entries(nouns))('%s', (name, open) => {
    test('is read as it was written', async () => {
      const { made, changed, read, seen } = await begun(open)
      expect(await commit(...[made].flat())).toBe('committed')
      expect(await read()).toEqual(seen[0])
      expect(await commit(...[changed].flat())).toBe('committed')
      const now = await read()
      if (!drawnNouns.has(name)) expect(now).toEqual(seen[1])
      else {
        const { version } = Object(now)
        expect(now).toEqual({ ...Object(seen[1]), version })
        expect(version).toBeGreaterThanOrEqual(Object(seen[1]).version)
      }
    })

    test('is left as it is where it has moved, is there already, or is not there', async () => {
      const { made, changed, again } = await begun(open)
      await refusing(changed)
      await commit(...[made].flat())
      await refusing(made)
      await commit(...[changed].flat())
      await refusing(again)
    })

    test('of two that are decided on the same one is written', async () => {
      const { made, changed, again } = await begun(open)
      await commit(...[made].flat())
      const other = on.store().another()
      const rows = [again].flat()
      const outcomes = await Promise.all([
        commit(...[changed].flat()),
        other.changes.commit({ ...changeWith(on.scope(), { rows }), clockAhead: null }),
      ])
      expect(outcomes.toSorted()).toEqual(['committed', 'moved'])
    })

    if (!drawnNouns.has(name)) return
    test('gets no version that a lost commit had', async () => {
      const { made, changed, again, read } = await begun(open)
      await commit(...[made].flat())
      await commit(...[changed].flat())
      const lost = await read()
      // A standby that never heard of the change is promoted, as far as the change wrote here.
      for (const table of new Set([`${name}s`, 'payments'])) {
        await on.store().db.query({ text: `update ${table} set version = 1`, values: [] })
      }
      expect(await commit(...[again].flat())).toBe('committed')
      expect(Object(await read()).version).not.toBe(Object(lost).version)
    })
  })
}

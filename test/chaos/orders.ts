import type { Moment } from '../../src/runtime/moments.ts'

/** Moments of the server at which it can be struck (src/runtime/moments.ts). */
export const momentNames: readonly Moment[] = [
  'stored',
  'appended',
  'judged',
  'measured',
  'marked',
  'healing',
  'settling',
  'settled',
  'adjusted',
  'relaying',
  'attempted',
  'archiving',
  'archived',
  'merging',
]

/** What the killer inside of the server does next. */
export interface Orders {
  /** A new one for every order. */
  readonly number: number
  readonly moment: Moment
  /** Strikes when the moment passes for the so-many-th time. */
  readonly times: number
  readonly victim: 'server' | 'postgres'
}

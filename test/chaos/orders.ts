import type { Moment } from '../../src/runtime/moments.ts'

/** What the killer inside of the server does next. */
export interface Orders {
  /** A new one for every order. */
  readonly number: number
  readonly moment: Moment
  /** Strikes when the moment passes for the so-many-th time. */
  readonly times: number
  readonly victim: 'server' | 'postgres'
}

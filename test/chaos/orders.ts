import type { Moment } from '../../src/runtime/moments.ts'

/** What the killer inside of the server is to do next. */
export interface Orders {
  /** Another number for every order. */
  readonly number: number
  readonly moment: Moment
  /** It strikes when the moment passes for this many-th time. */
  readonly times: number
  readonly victim: 'server' | 'postgres'
}

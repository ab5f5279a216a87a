import { Fault } from '../../faults.ts'
import type { Route } from './route.ts'

/** Why somebody who may only read is refused: a person has no key to change. */
export const readOnly = ({ visitor }: Route): Fault =>
  new Fault(
    'FORBIDDEN',
    visitor === undefined
      ? 'This key may only read: use one with write access.'
      : 'A viewer may only look: ask an owner to do this.',
  )

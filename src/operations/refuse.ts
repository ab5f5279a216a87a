import type { FaultCode } from '../faults.ts'
import { Fault } from '../faults.ts'

/** Turns a rule's refusal into the answer that the caller gets. */
export function refuse(rejection: { readonly code: FaultCode; readonly problem: string } | null) {
  if (rejection !== null) throw new Fault(rejection.code, rejection.problem)
}

import { presentSpan } from '../../runtime/tracing.ts'
import type { Packer } from './packer.ts'

/** Sends the present span along with what is appended as a part of it. */
export const tracedPacker = (packer: Packer): Packer => ({
  ...packer,
  append(pieces) {
    const trace = presentSpan()?.traceparent
    return packer.append(trace === undefined ? pieces : pieces.map((one) => ({ ...one, trace })))
  },
})

import type { Instant } from '../../../std/instant.ts'
import { after, laterOf, microsecond } from '../../../std/instant.ts'

/**
 * When a change of something happens: later than every change before it, so that the time of the
 * last one tells whether it has moved. [machines#writers]
 */
export const changeTime = ({ updatedAt }: { readonly updatedAt: Instant }, at: Instant): Instant =>
  laterOf(at, after(updatedAt, microsecond))

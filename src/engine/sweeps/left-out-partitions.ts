import type { Partition } from '../../parts/event-log/port.ts'
import type { Measuring } from '../../parts/store/measuring.ts'
import type { Logger } from '../../runtime/logger.ts'

/**
 * Raises one alarm for each partition that has been halted for so long that boundaries go on
 * without it: whatever is measured of it from then on is late usage. [machines#boundaries]
 */
export function leftOutAlarm(needs: {
  readonly measuring: Pick<Measuring, 'checkpoints'>
  readonly logger: Logger
}): () => Promise<void> {
  let told: ReadonlySet<Partition> = new Set()
  return async () => {
    const leftOut = (await needs.measuring.checkpoints()).filter((each) => each.leftOut)
    for (const { partition, halted } of leftOut) {
      if (told.has(partition)) continue
      needs.logger.error(
        { partition, reason: halted },
        'boundaries go on without a halted partition: its usage will be late usage',
      )
    }
    told = new Set(leftOut.map(({ partition }) => partition))
  }
}

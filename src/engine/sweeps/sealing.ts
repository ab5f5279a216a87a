import { limits } from '../../limits.ts'
import type { Measuring } from '../../parts/store/measuring.ts'
import type { Sealing } from '../../parts/store/sealing.ts'
import type { BelievedClock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Loop } from '../../runtime/loop.ts'
import { loop } from '../../runtime/loop.ts'
import { after, earlierOf } from '../../std/instant.ts'

export interface SealingSweepNeeds {
  readonly sealing: Sealing
  readonly measuring: Pick<Measuring, 'watermark'>
  readonly clock: Pick<BelievedClock, 'believed'>
  readonly logger: Logger
}

/** With the pause between rounds this goes through a million accounts in three hours. */
const accountsPerRound = 500
/**
 * A month of hourly usage of 500 accounts may be millions of rows: a round that took all of them
 * would never end in time, and no account behind these would ever be sealed.
 */
const rowsPerRound = 20_000
const pauseMs = 5_000

/**
 * Goes through all accounts, a few at a time, and seals the usage of closed cycles once nothing
 * more is likely to come to it, so that an account does not get slower with age. There is no hurry:
 * sealing late costs time and changes nothing. [machines#writers]
 */
export function openSealing({ sealing, measuring, clock, logger }: SealingSweepNeeds): Loop {
  let behind = ''
  return loop({ name: 'sealing', logger, idleMs: pauseMs, work })

  async function work(): Promise<boolean> {
    const watermark = await measuring.watermark()
    if (watermark === null) return false
    const upTo = after(earlierOf(watermark, clock.believed()), -limits.sealAfter)
    const most = { accountsMax: accountsPerRound, rowsMax: rowsPerRound }
    const { last } = await sealing.seal({ behind, upTo, ...most })
    behind = last ?? ''
    return false
  }
}

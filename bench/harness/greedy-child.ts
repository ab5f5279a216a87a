import type { Greed, GreedyOptions } from '../../test/support/edge/greedy.ts'
import { startGreed } from '../../test/support/edge/greedy.ts'

// The offender: a process of its own, so that the one that measures waits for nothing of it.
export interface GreedyOrder extends Omit<GreedyOptions, 'url'> {
  readonly kind: Greed
  readonly url: string
}

process.once('message', ({ kind, url, ...rest }: GreedyOrder) => {
  const greed = startGreed(kind, { ...rest, url: () => url })
  process.once('message', async () => {
    process.send?.(await greed.stop())
    process.disconnect()
  })
})
// Nobody is left to stop it.
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

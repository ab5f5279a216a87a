import { spawnSync } from 'node:child_process'
import { setPriority } from 'node:os'
import type { Greed, GreedyOptions } from '../../test/support/edge/greedy.ts'
import { startGreed } from '../../test/support/edge/greedy.ts'

// The offender would have a machine of its own: here it gets what nobody else wants of this one. A
// nice process may still finish its slice of some milliseconds before others are woken; an idle
// one gives way at once. Where there is no `chrt`, it is nice.
setPriority(19)
spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(process.pid)], { stdio: 'ignore' })

// What the offender is to do. It runs in a process of its own, so that it cannot delay the process
// that measures.
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
// Without its parent nothing would ever stop it.
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

import { repositories } from '../compose/store.ts'
import { limits } from '../limits.ts'
import { advanceClock } from '../operations/clock/advance-clock.ts'
import { pauseFor } from '../runtime/pause.ts'
import { formatInstant } from '../std/instant.ts'
import { isoDurationProblem, parseIsoDuration } from '../std/iso-duration.ts'
import type { Command } from './command.ts'
import { UsageError, withStore } from './command.ts'

export const clockAdvanceCommand: Command = {
  name: 'clock advance',
  usage: 'DURATION --business ID',
  summary:
    "moves a business's test clock forward (ISO 8601: P31D); all that falls due happens first",
  options: { business: { type: 'string' } },
  positionals: ['DURATION'],

  async run(input) {
    const scope = { businessId: input.required('business'), mode: 'test' } as const
    const by = input.positional('DURATION')
    if (parseIsoDuration(by) === null) throw new UsageError(`DURATION ${isoDurationProblem}`)
    const now = await withStore(input, async (ports) => {
      if ((await ports.businesses.find(scope.businessId)) === null) {
        throw new Error(`There is no business with the id '${scope.businessId}'.`)
      }
      const moved = await advanceClock(
        { ...ports, ...repositories(ports.db, input.config()), wrote: () => undefined },
        scope,
        by,
      )
      // Running servers cache the clock together with keys for this long.
      await pauseFor(limits.keyCacheMs)
      return moved
    })
    input.answer({ now: formatInstant(now) }, [formatInstant(now)])
    return 0
  },
}

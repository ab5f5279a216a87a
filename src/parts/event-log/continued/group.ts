import type { GroupHandler, LogGroup, LogOrigin } from '../port.ts'
import { offsetsOf } from './offsets.ts'

export interface ContinuedGroupNeeds {
  /** Opens the group of the log itself. */
  readonly open: (handler: GroupHandler) => Promise<LogGroup>
  readonly origin: LogOrigin
  readonly handler: GroupHandler
}

/** A member of the group of the log as it goes on from `origin`. */
export async function openContinuedGroup(needs: ContinuedGroupNeeds): Promise<LogGroup> {
  const { open, origin, handler } = needs
  const { shown, stored } = offsetsOf(origin)
  const group = await open({
    taken: async (partition) => stored(partition, await handler.taken(partition)),
    lost: (partition) => handler.lost(partition),
    ...(handler.position === undefined ? {} : { position }),
  })
  return { poll, seek, pause: group.pause, close: group.close }

  function position(partition: number): number | null {
    const offset = handler.position?.(partition) ?? null
    return offset === null ? null : stored(partition, offset)
  }

  async function poll(bytesMax: number, waitMs: number) {
    const slices = await group.poll(bytesMax, waitMs)
    return slices.map(({ partition, records }) => ({
      partition,
      records: records.map((record) => ({ ...record, offset: shown(partition, record.offset) })),
    }))
  }

  function seek(partition: number, offset: number): void {
    group.seek(partition, stored(partition, offset))
  }
}

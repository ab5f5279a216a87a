import { orNotFound } from '../../faults.ts'
import type { ArchiveMeter } from '../../operations/meters/archive-meter.ts'
import { archiveMeter, unarchiveMeter } from '../../operations/meters/archive-meter.ts'
import type { CreateMeter } from '../../operations/meters/create-meter.ts'
import { createMeter } from '../../operations/meters/create-meter.ts'
import type { Meters } from '../../parts/store/meters.ts'
import { meterCreate, meterView, wantedMeter } from '../../wire/meter.ts'
import { page } from '../../wire/schemas.ts'
import { parse, parseFlag, parsePage } from '../http/parse.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { created, noContent, ok, route } from '../http/route.ts'

export interface MeterNeeds extends CreateMeter, ArchiveMeter {
  readonly meters: Meters
}

/** [resources#meters] */
export function meterRoutes(needs: MeterNeeds): readonly Route[] {
  const { meters } = needs
  return [
    route('GET', '/meters', 'read', list),
    route('POST', '/meters', 'write', create),
    route('GET', '/meters/:id', 'read', retrieve),
    route('DELETE', '/meters/:id', 'write', archive),
    route('POST', '/meters/:id/unarchive', 'write', unarchive, 'none'),
  ]

  async function list(request: Request): Promise<Reply> {
    const archived = parseFlag(request, 'archived') ?? false
    const found = await meters.list(request.caller, archived, parsePage(request))
    return ok(page(found.map((meter) => meterView(request.caller.businessId, meter))))
  }

  async function create({ caller, body, at }: Request): Promise<Reply> {
    const command = { wanted: wantedMeter(parse(meterCreate, body)), at }
    return created(meterView(caller.businessId, await createMeter(needs, caller, command)))
  }

  /** Archived meters can be read, too. [meters#archiving] */
  async function retrieve(request: Request): Promise<Reply> {
    const meterId = parseId(request, 'id', 'meter')
    const meter = orNotFound(await meters.get(request.caller, meterId), 'meter', meterId)
    return ok(meterView(request.caller.businessId, meter))
  }

  async function archive(request: Request): Promise<Reply> {
    const meterId = parseId(request, 'id', 'meter')
    await archiveMeter(needs, request.caller, { meterId, at: request.at })
    return noContent
  }

  async function unarchive(request: Request): Promise<Reply> {
    const meterId = parseId(request, 'id', 'meter')
    await unarchiveMeter(needs, request.caller, { meterId, at: request.at })
    return noContent
  }
}

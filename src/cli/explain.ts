import { explainPorts, openCommandReader } from '../compose/explain.ts'
import { Fault, notFound } from '../faults.ts'
import { copiesOf } from '../operations/explain/copies.ts'
import { explainEventById } from '../operations/explain/explain-event.ts'
import { explainEntryById, explainGrantById } from '../operations/explain/explain-ledger.ts'
import { explainMoney, ownersOfMoney } from '../operations/explain/explain-money.ts'
import type { MoneyNeeds } from '../operations/explain/money-needs.ts'
import type { ExplainNeeds } from '../operations/explain/ports.ts'
import type { Scope } from '../parts/store/scope.ts'
import type { Mode } from '../rules/meter/meter.ts'
import { after } from '../std/instant.ts'
import {
  entryExplanationView,
  eventExplanationView,
  grantExplanationView,
} from '../wire/explanation.ts'
import { moneyExplanationView } from '../wire/money-explanation.ts'
import type { Command, CommandNeeds, Input } from './command.ts'
import { UsageError, withStore } from './command.ts'

export const explain: Command = {
  name: 'explain',
  usage: 'ID [--business ID] [--mode test|live]',
  summary: 'says where a usage event, an entry, a grant or money (pay_…, INV-…) came from and went',
  options: { business: { type: 'string' }, mode: { type: 'string' } },
  positionals: ['ID'],

  async run(input) {
    const filter = { businessId: input.text('business'), mode: modeOf(input.text('mode')) }
    const view = await withStore(input, async (ports) => {
      const reader = await openCommandReader(input.config(), ports)
      try {
        const { clock, newId } = ports
        const partitions = reader?.partitions ?? ports.installation.partitions ?? 1
        const config = input.config()
        const parts = { store: ports, clock, newId, reader, partitions, config }
        return await explained(explainPorts(parts), { ports, input, filter })
      } finally {
        await reader?.close()
      }
    })
    input.answer(view, view.summary)
    return 0
  },
}

function modeOf(text: string | null): Mode | null {
  if (text === null || text === 'test' || text === 'live') return text
  throw new UsageError('--mode must be test or live.')
}

interface Asked {
  readonly ports: CommandNeeds
  readonly input: Input
  readonly filter: { readonly businessId: string | null; readonly mode: Mode | null }
}

/** Ids of ledger entries and grants are unique; ids of events are chosen by their senders. */
async function explained(explaining: ExplainNeeds & MoneyNeeds, asked: Asked) {
  const { ports, input, filter } = asked
  const id = input.positional('ID')
  const { explanations } = explaining
  const owned =
    id.startsWith('cle_') || id.startsWith('cgr_')
      ? ((await explanations.entry(id)) ?? (await explanations.grant(id)))
      : null
  if (owned !== null) {
    if (!fits(owned, filter)) throw notFound('ledger entry or grant', id)
    const [view] = await explaining.accounts.load([owned])
    const at = after(ports.clock.now(), view?.clockAhead ?? 0)
    return 'entryId' in owned
      ? entryExplanationView(await explainEntryById(explaining, owned, id), at)
      : grantExplanationView(await explainGrantById(explaining, owned, id), at)
  }
  const owners = await ownersOfMoney(explaining, id, () => scopesOf(asked))
  const owner = onlyOne(
    owners.filter((one) => fits(one, filter)),
    'papers',
    id,
  )
  if (owner !== null) {
    return moneyExplanationView(owner.businessId, await explainMoney(explaining, owner, id))
  }
  const scope = await ownerOf(explaining, asked, id)
  const event = await explainEventById(explaining, scope, id)
  return eventExplanationView(scope.businessId, event)
}

const fits = (owned: Scope, { businessId, mode }: Asked['filter']): boolean =>
  (businessId === null || businessId === owned.businessId) && (mode === null || mode === owned.mode)

/** Each business and mode costs a look into the archive. */
const scopesMax = 200

async function scopesOf({ ports, filter }: Asked): Promise<readonly Scope[]> {
  const scopes = await ports.businesses.scopes(filter, scopesMax + 1)
  if (scopes.length <= scopesMax) return scopes
  throw new UsageError(`There are too many businesses to look through: add --business ID.`)
}

async function ownerOf(explaining: ExplainNeeds, asked: Asked, eventId: string): Promise<Scope> {
  const found: Scope[] = []
  for (const scope of await scopesOf(asked)) {
    if ((await copiesOf(explaining, scope, eventId)).length > 0) found.push(scope)
  }
  const owner = onlyOne(found, 'events', eventId)
  if (owner !== null) return owner
  const message = `There is no event, ledger entry, grant, payment, refund, dispute, payout or paper with the id '${eventId}'. Events that were refused, or are older than EVENT_RETENTION, leave nothing.`
  throw new Fault('NOT_FOUND', message)
}

/** Null: there is none. */
function onlyOne(found: readonly Scope[], what: string, id: string): Scope | null {
  const [first, ...others] = found
  if (first === undefined) return null
  if (others.length === 0) return first
  const names = found.map(({ businessId, mode }) => `--business ${businessId} --mode ${mode}`)
  throw new UsageError(
    `${found.length} ${what} have the id '${id}'; say which one: ${names.join(', or ')}.`,
  )
}

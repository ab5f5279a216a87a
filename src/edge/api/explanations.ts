import type { PositionNeeds } from '../../operations/events/await-position.ts'
import { awaitPosition } from '../../operations/events/await-position.ts'
import { explainEventById } from '../../operations/explain/explain-event.ts'
import { explainEntryById, explainGrantById } from '../../operations/explain/explain-ledger.ts'
import { explainMoney } from '../../operations/explain/explain-money.ts'
import type { MoneyNeeds } from '../../operations/explain/money-needs.ts'
import type { ExplainNeeds } from '../../operations/explain/ports.ts'
import {
  entryExplanationView,
  eventExplanationView,
  grantExplanationView,
} from '../../wire/explanation.ts'
import { moneyExplanationView } from '../../wire/money-explanation.ts'
import { parseId } from '../http/path-id.ts'
import type { Reply, Request, Route } from '../http/route.ts'
import { ok, route, scanning } from '../http/route.ts'

export interface ExplanationNeeds extends ExplainNeeds, MoneyNeeds {
  readonly positions: PositionNeeds
}

/** Where usage, entries and money came from, and what they did. [resources#routes-of-ours] */
export function explanationRoutes(needs: ExplanationNeeds): readonly Route[] {
  return [
    scanning(route('GET', '/events/:event_id/explanation', 'read', explainEvent)),
    scanning(route('GET', '/credit-ledger-entries/:id/explanation', 'read', explainEntry)),
    scanning(route('GET', '/explanations/:id', 'read', explainOfMoney)),
  ]

  async function explainEvent(request: Request): Promise<Reply> {
    await awaitPosition(needs.positions, request.header('sluice-after'))
    const { businessId, mode } = request.caller
    const eventId = request.param('event_id')
    const explained = await explainEventById(needs, { businessId, mode }, eventId)
    return ok(eventExplanationView(businessId, explained))
  }

  async function explainOfMoney(request: Request): Promise<Reply> {
    const { businessId, mode } = request.caller
    const id = parseId(request, 'id', 'payment, refund, dispute, payout, paper or entry')
    return ok(moneyExplanationView(businessId, await explainMoney(needs, { businessId, mode }, id)))
  }

  /** A grant's id will do, too: its explanation is that of its entries. */
  async function explainEntry(request: Request): Promise<Reply> {
    await awaitPosition(needs.positions, request.header('sluice-after'))
    const { businessId, mode } = request.caller
    const id = request.param('id')
    if (id.startsWith('cgr_')) {
      const explained = await explainGrantById(needs, { businessId, mode }, id)
      return ok(grantExplanationView(explained, request.at))
    }
    const explained = await explainEntryById(needs, { businessId, mode }, id)
    return ok(entryExplanationView(explained, request.at))
  }
}

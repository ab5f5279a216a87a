import type { ExplainedLine, MoneyExplanation } from '../rules/explain/money.ts'
import { formatInstant } from '../std/instant.ts'
import { balanceEntryView } from './balance-entry.ts'

/** What `GET /explanations/{id}` answers. [resources#routes-of-ours] */
export type MoneyExplanationView = ReturnType<typeof moneyExplanationView>

export const moneyExplanationView = (businessId: string, explained: MoneyExplanation) => ({
  explains: explained.explains,
  id: explained.id,
  paper: explained.paper,
  causes: explained.causes,
  lines: explained.lines.map(lineView),
  ledger_entries: explained.entries.map((entry) => balanceEntryView(businessId, entry)),
  effects: explained.effects,
  summary: explained.summary,
})

const lineView = ({ amount, itemId, name, sentence, tax, usage }: ExplainedLine) => ({
  item_id: itemId,
  name,
  amount,
  tax,
  sentence,
  usage:
    usage === null
      ? null
      : {
          meter_id: usage.meterId,
          event_name: usage.eventName,
          start_date: formatInstant(usage.from),
          end_date: formatInstant(usage.to),
          consumed: usage.consumed,
          free: usage.free,
          price_per_unit: usage.pricePerUnit,
          events: usage.events.map(({ eventId, timestamp }) => ({
            event_id: eventId,
            timestamp: formatInstant(timestamp),
          })),
        },
})

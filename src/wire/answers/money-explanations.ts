import { moneyKinds } from '../../rules/explain/money.ts'
import type { MoneyExplanationView } from '../money-explanation.ts'
import { balanceEntryAnswer } from './balances.ts'
import {
  choiceField,
  decimalField,
  listField,
  named,
  orNull,
  shape,
  textField,
  textOrNull,
  timeField,
  wholeField,
} from './shape.ts'

type Line = MoneyExplanationView['lines'][number]
type Usage = NonNullable<Line['usage']>

const link = shape<MoneyExplanationView['causes'][number]>({ id: textField, sentence: textField })

const usage = shape<Usage>({
  meter_id: textField,
  event_name: textField,
  start_date: timeField,
  end_date: timeField,
  consumed: decimalField,
  free: decimalField,
  price_per_unit: decimalField,
  events: listField(shape<Usage['events'][number]>({ event_id: textField, timestamp: timeField })),
})

export const moneyExplanationAnswer = named(
  'MoneyExplanation',
  shape<MoneyExplanationView>({
    explains: choiceField(moneyKinds),
    id: textField,
    paper: textOrNull,
    causes: listField(link),
    lines: listField(
      shape<Line>({
        item_id: textField,
        name: textOrNull,
        amount: wholeField,
        tax: wholeField,
        sentence: textField,
        usage: orNull(usage),
      }),
    ),
    ledger_entries: listField(balanceEntryAnswer.definition),
    effects: listField(link),
    summary: listField(textField),
  }),
)

import type { EnteredCard, WrongCard } from '../../../rules/commerce/payments/card.ts'
import type { ChargeOutcome } from '../../../rules/commerce/payments/payment.ts'
import type { Instant } from '../../../std/instant.ts'
import { hour, instantOf, millisecond, minute, second } from '../../../std/instant.ts'
import type { ChargeAnswer, ChargeRequest, EnteredMethod, Processor } from '../port.ts'

const succeeded: ChargeOutcome = { status: 'succeeded' }
const processing: ChargeOutcome = { status: 'processing' }
const declined = (code: string, message: string): ChargeOutcome => ({
  status: 'failed',
  code,
  message,
})
const atOnce = (outcome: ChargeOutcome): ChargeAnswer => ({ outcome, news: [] })

/** What a charge of each test card becomes. [payments#sandbox-cards] */
const behaviors = {
  pays: atOnce(succeeded),
  pays_once: atOnce(succeeded),
  disputed: atOnce(succeeded),
  declined: atOnce(declined('CARD_DECLINED', 'The card was declined.')),
  short_of_funds: atOnce(declined('INSUFFICIENT_FUNDS', 'The card has not enough funds.')),
  expired: atOnce(declined('EXPIRED_CARD', 'The card has expired.')),
  wrong_cvc: atOnce(declined('INCORRECT_CVC', 'The security code of the card is wrong.')),
  unknown: atOnce(
    declined('INVALID_CARD_NUMBER', 'The sandbox knows only its own test cards; use one of them.'),
  ),
  asks: atOnce({ status: 'requires_customer_action' }),
  slow: { outcome: processing, news: [{ after: 5 * second, outcome: succeeded }] },
  twice: {
    outcome: succeeded,
    news: [
      { after: second, outcome: succeeded },
      { after: 2 * second, outcome: succeeded },
    ],
  },
  out_of_order: {
    outcome: processing,
    news: [
      { after: second, outcome: succeeded },
      { after: 2 * second, outcome: processing },
    ],
  },
  unanswered: { outcome: null, news: [{ after: minute, outcome: succeeded }] },
} as const satisfies Record<string, ChargeAnswer>

type Behavior = keyof typeof behaviors

/** What a charge of a saved card becomes, where that is something else. */
const later: { readonly [Name in Behavior]?: ChargeAnswer } = {
  pays_once: atOnce(declined('CARD_DECLINED', 'The card was declined.')),
  asks: atOnce(succeeded),
}

const cards: ReadonlyMap<string, Behavior> = new Map([
  ['4242424242424242', 'pays'],
  ['5555555555554444', 'pays'],
  ['4000000000000259', 'disputed'],
  ['4000000000000002', 'declined'],
  ['4000000000009995', 'short_of_funds'],
  ['4000000000000069', 'expired'],
  ['4000000000000127', 'wrong_cvc'],
  ['4000002760003184', 'asks'],
  ['4000000000000341', 'pays_once'],
  ['4000000000007015', 'slow'],
  ['4000000000007023', 'twice'],
  ['4000000000007031', 'out_of_order'],
  ['4000000000007049', 'unanswered'],
])

/**
 * The processor of test mode: no money moves. What becomes of a charge is written in its card, so
 * it remembers nothing, and answers the same whenever it is asked again.
 */
export const sandbox: Processor = {
  name: 'sandbox',
  enter,
  charge: async ({ token, forcesConfirmation = false, isLater = false }: ChargeRequest) => {
    const name = behaviorOf(token)
    const behavior = isLater ? (later[name] ?? behaviors[name]) : behaviors[name]
    return forcesConfirmation && !isLater && behavior.outcome?.status === 'succeeded'
      ? behaviors.asks
      : behavior
  },
  refundsAtOnce: true,
  disputesAtOnce: (token) => behaviorOf(token) === 'disputed',
  confirm: async (_: ChargeRequest, passed: boolean) =>
    atOnce(
      passed
        ? succeeded
        : declined('AUTHENTICATION_FAILURE', 'The holder of the card did not confirm the payment.'),
    ),
}

const prefix = 'sandbox:'

function behaviorOf(token: string): Behavior {
  const name = token.slice(prefix.length)
  return token.startsWith(prefix) && isBehavior(name) ? name : 'unknown'
}

const isBehavior = (name: string): name is Behavior => Object.hasOwn(behaviors, name)

function enter(entered: EnteredCard, at: Instant): EnteredMethod | WrongCard {
  const { number, expiry, cvc, holder } = entered
  const digits = number.replace(/[ -]/g, '')
  if (!/^\d{12,19}$/.test(digits)) {
    return { field: 'card_number', problem: 'must be 12 to 19 digits' }
  }
  const [, month = '', year = ''] = /^(0[1-9]|1[0-2]) ?\/ ?(?:20)?(\d{2})$/.exec(expiry) ?? []
  if (month === '') {
    return { field: 'card_expiry', problem: 'must be a month and a year, such as 09/31' }
  }
  if (at >= endOfMonth(2_000 + Number(year), Number(month))) {
    return { field: 'card_expiry', problem: 'must not be over yet' }
  }
  if (!/^\d{3,4}$/.test(cvc)) return { field: 'card_cvc', problem: 'must be 3 or 4 digits' }
  return {
    token: `${prefix}${cards.get(digits) ?? 'unknown'}`,
    card: {
      network: networkOf(digits),
      lastFour: digits.slice(-4),
      expiryMonth: month,
      expiryYear: `20${year}`,
      holder,
      type: 'credit',
      issuingCountry: 'US',
    },
  }
}

/** A card is good until the month that it names is over everywhere. */
const endOfMonth = (year: number, month: number): Instant =>
  instantOf(Date.UTC(year, month) * millisecond + 12 * hour)

function networkOf(digits: string): string {
  if (digits.startsWith('4')) return 'VISA'
  return digits.startsWith('5') ? 'MASTERCARD' : 'UNKNOWN'
}

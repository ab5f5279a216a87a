import { paying } from '../compose/paying.ts'
import { Fault } from '../faults.ts'
import { confirmCheckout } from '../operations/checkouts/confirm-checkout.ts'
import { payCheckout } from '../operations/checkouts/pay-checkout.ts'
import { noChoices } from '../rules/commerce/payments/choices.ts'
import { enteredCard, payerDetails } from '../wire/checkout-form.ts'
import type { Command } from './command.ts'
import { UsageError, withStore } from './command.ts'

export const checkoutPayCommand: Command = {
  name: 'checkout pay',
  usage: 'SESSION_ID [--card NUMBER] [--email E] [--country CC] [--zipcode Z] [--name N]',
  summary: 'test mode: pays a checkout session as its page would, with a card of the sandbox',
  options: {
    card: { type: 'string' },
    email: { type: 'string' },
    country: { type: 'string' },
    zipcode: { type: 'string' },
    name: { type: 'string' },
  },
  positionals: ['SESSION_ID'],

  async run(input) {
    const sessionId = input.positional('SESSION_ID')
    const entered = enteredIn(input)
    const paid = await withStore(input, async (ports) => {
      const needs = await paying(ports, input.config())
      const answer = await payCheckout(needs, 'test', {
        sessionId,
        details: entered.details,
        choices: noChoices,
        agreedTotal: null,
        card: entered.card,
      })
      if ('wrong' in answer) return answer
      // A person who pays by command is there to confirm.
      return answer.payment.status === 'requires_customer_action'
        ? confirmCheckout(needs, 'test', { sessionId, passed: true })
        : answer
    })
    if ('wrong' in paid) {
      const wrong = paid.wrong.map(({ field, problem }) => `${field} ${problem}`).join('; ')
      throw new Fault('INVALID_REQUEST_BODY', `The session cannot be paid: ${wrong}.`)
    }
    const { paymentId, subscriptionId, status, errorCode, errorMessage } = paid.payment
    const answer = {
      session_id: sessionId,
      payment_id: paymentId,
      subscription_id: subscriptionId,
      status,
    }
    if (status === 'failed') {
      input.answer({ ...answer, error_code: errorCode }, [])
      throw new Error(`The payment was declined (${errorCode ?? ''}): ${errorMessage ?? ''}`)
    }
    input.answer(answer, [`${paymentId} ${status}`])
    return 0
  },
}

/** What a person would have entered on the page. */
function enteredIn(input: Pick<Parameters<Command['run']>[0], 'text'>) {
  const form = new Map([
    ['card_number', input.text('card') ?? '4242424242424242'],
    ['card_expiry', '12/99'],
    ['card_cvc', '123'],
    ['country', input.text('country') ?? 'US'],
  ])
  for (const name of ['email', 'name', 'zipcode']) {
    const value = input.text(name)
    if (value !== null) form.set(name, value)
  }
  const details = payerDetails(form)
  if (details.billing.country === null) {
    throw new UsageError('--country must be a country of ISO 3166-1, such as DE')
  }
  if (form.has('email') && details.email === null) {
    throw new UsageError('--email must be an e-mail address such as ada@example.com')
  }
  return { details, card: enteredCard(form) }
}

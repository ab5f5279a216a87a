import { paying } from '../compose/paying.ts'
import { Fault } from '../faults.ts'
import { confirmCheckout } from '../operations/checkouts/confirm-checkout.ts'
import { payCheckout } from '../operations/checkouts/pay-checkout.ts'
import { noChoices } from '../rules/commerce/payments/choices.ts'
import { countryCodes } from '../wire/enums.ts'
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
    const country = (input.text('country') ?? 'US').toUpperCase()
    if (!countryCodes.some((code) => code === country)) {
      throw new UsageError('--country must be a country of ISO 3166-1, such as DE')
    }
    const paid = await withStore(input, async (ports) => {
      const needs = await paying(ports, input.config())
      const answer = await payCheckout(needs, 'test', {
        sessionId,
        details: {
          email: input.text('email'),
          name: input.text('name'),
          phoneNumber: null,
          billing: {
            country,
            city: null,
            state: null,
            street: null,
            zipcode: input.text('zipcode'),
          },
          taxId: null,
          businessName: null,
          customFields: {},
        },
        choices: noChoices,
        agreedTotal: null,
        card: {
          number: input.text('card') ?? '4242424242424242',
          expiry: '12/99',
          cvc: '123',
          holder: input.text('name'),
        },
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

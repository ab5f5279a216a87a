import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { Fault } from '../../faults.ts'
import { plainDesign } from '../../rules/commerce/payments/page-design.ts'
import { refusalPage } from './pages.ts'
import { pageReply } from './replies.ts'
import type { CheckoutTexts } from './texts/checkout-texts.ts'
import { textsFor } from './texts.ts'

/**
 * The route as a page: its refusals are pages too, which say in the reader's language what to do,
 * and below it what is wrong, for the seller. Failures of ours stay answers for programs.
 * [payments#pages]
 */
export const forPeople = (route: Route): Route => ({
  ...route,
  isPage: true,
  async handler(request) {
    try {
      return await route.handler(request)
    } catch (error) {
      if (error instanceof Fault && error.status < 500) return refused(request, error)
      throw error
    }
  },
})

function refused(request: Request, fault: Fault): Reply {
  const spoken = textsFor(null, request.header('accept-language'))
  const page = {
    path: '',
    look: plainLook,
    isTest: request.mode === 'test',
    ...spoken,
  }
  const saying = spoken.texts[sayingOf(fault)]
  return pageReply(fault.status, refusalPage(page, saying, fault.message))
}

const plainLook = { theme: 'system', design: plainDesign } as const

function sayingOf({ code, status }: Fault): keyof CheckoutTexts {
  if (status === 404) return 'nothingHere'
  if (code === 'PORTAL_LINK_EXPIRED' || code === 'CHECKOUT_SESSION_EXPIRED') return 'expired'
  return status === 410 ? 'notSold' : 'refused'
}

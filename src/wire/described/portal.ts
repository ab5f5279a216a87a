import { portalSessionAnswer } from '../answers/portal.ts'
import type { DescribedRoutes } from './described.ts'
import { flagQuery, textQuery } from './described.ts'

export const portalDescribed: DescribedRoutes = {
  'POST /customers/:customer_id/customer-portal/session': {
    id: 'createCustomerPortalSession',
    summary: "Make a link that lets a customer into the customer's portal for a day",
    query: { return_url: textQuery, send_email: flagQuery },
    answers: portalSessionAnswer,
  },
}

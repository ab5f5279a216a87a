import { addonCreate, addonUpdate } from '../addon.ts'
import { addonAnswer } from '../answers/addons.ts'
import type { DescribedRoutes } from './described.ts'

export const addonsDescribed: DescribedRoutes = {
  'GET /addons': {
    id: 'listAddons',
    summary: 'List add-ons',
    paged: true,
    answers: { items: addonAnswer },
  },
  'POST /addons': {
    id: 'createAddon',
    summary: 'Create an add-on',
    body: {
      schema: addonCreate,
      example: { name: 'More seats', price: 500, currency: 'USD', tax_category: 'saas' },
    },
    answers: addonAnswer,
  },
  'GET /addons/:id': { id: 'getAddon', summary: 'Read an add-on', answers: addonAnswer },
  'PATCH /addons/:id': {
    id: 'updateAddon',
    summary: 'Change an add-on',
    body: { schema: addonUpdate, example: { price: 700, description: null } },
    answers: addonAnswer,
  },
}

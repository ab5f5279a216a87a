import { productAnswer, productItemAnswer } from '../answers/catalog.ts'
import { localizedPriceAnswer } from '../answers/localized-prices.ts'
import { shortLinkAnswer, shortLinkItemAnswer } from '../answers/short-links.ts'
import { localizedPriceCreate, localizedPriceUpdate } from '../localized-price.ts'
import { productCreate, productUpdate } from '../product-request.ts'
import { shortLinkCreate } from '../short-link.ts'
import type { DescribedRoutes } from './described.ts'
import { flagQuery, textQuery } from './described.ts'

/** What a product is refused for. */
const refusals = [
  'NOT_FOUND',
  'BRAND_NOT_ENABLED',
  'CREDIT_ENTITLEMENT_IS_DELETED',
  'METER_IS_DELETED',
  'DUPLICATE_METER_IDS_IN_REQUEST',
  'MISSING_METER_IDS',
  'INVALID_SUGGESTED_PRICE',
  'MAXIMUM_KEYS_REACHED',
  'INTEGER_CONVERSION_FAILURE',
  'ADDONS_IN_USAGE_BASED_BILLING_NOT_SUPPORTED',
  'DUPLICATE_ADDON_IDS_IN_REQUEST',
  'MISSING_ADDON_IDS',
] as const

export const productsDescribed: DescribedRoutes = {
  'GET /products': {
    id: 'listProducts',
    summary: 'List products',
    query: { archived: flagQuery, brand_id: textQuery, recurring: flagQuery },
    paged: true,
    answers: { items: productItemAnswer },
  },
  'POST /products': {
    id: 'createProduct',
    summary: 'Create a product',
    body: {
      schema: productCreate,
      example: {
        name: 'Pro',
        tax_category: 'saas',
        price: {
          type: 'usage_based_price',
          currency: 'USD',
          discount: 0,
          fixed_price: 0,
          payment_frequency_count: 1,
          payment_frequency_interval: 'Month',
          subscription_period_count: 1,
          subscription_period_interval: 'Year',
        },
      },
    },
    answers: productAnswer,
    refusals,
  },
  'GET /products/:id': { id: 'getProduct', summary: 'Read a product', answers: productAnswer },
  'PATCH /products/:id': {
    id: 'updateProduct',
    summary: 'Change a product',
    body: { schema: productUpdate, example: { name: 'Pro plus', description: null } },
    answers: null,
    refusals: [...refusals, 'BRAND_MISMATCH', 'LOCALIZED_PRICE_DUPLICATES_BASE'],
  },
  'DELETE /products/:id': {
    id: 'archiveProduct',
    summary: 'Archive a product',
    answers: null,
    refusals: ['PRODUCT_IS_DELETED'],
  },
  'POST /products/:id/unarchive': {
    id: 'unarchiveProduct',
    summary: 'Take a product out of the archive',
    answers: null,
  },
  'GET /products/:product_id/localized-prices': {
    id: 'listLocalizedPrices',
    summary: "List a product's localized prices",
    answers: { items: localizedPriceAnswer },
  },
  'POST /products/:product_id/localized-prices': {
    id: 'createLocalizedPrice',
    summary: 'Give a product a price of its own for a market',
    body: { schema: localizedPriceCreate, example: { amount: 900, currency: 'EUR' } },
    status: 201,
    answers: localizedPriceAnswer,
    refusals: [
      'LOCALIZED_PRICE_ALREADY_EXISTS',
      'LOCALIZED_PRICE_DUPLICATES_BASE',
      'LOCALIZED_PRICE_SHAPE_MISMATCH',
      'PRODUCT_PRICING_MODE_REQUIRED',
    ],
  },
  'GET /products/:product_id/localized-prices/:id': {
    id: 'getLocalizedPrice',
    summary: 'Read a localized price',
    answers: localizedPriceAnswer,
  },
  'PATCH /products/:product_id/localized-prices/:id': {
    id: 'updateLocalizedPrice',
    summary: 'Change the amount of a localized price',
    body: { schema: localizedPriceUpdate, example: { amount: 950 } },
    answers: localizedPriceAnswer,
  },
  'DELETE /products/:product_id/localized-prices/:id': {
    id: 'archiveLocalizedPrice',
    summary: 'Archive a localized price',
    answers: null,
  },
  'GET /products/short_links': {
    id: 'listShortLinks',
    summary: 'List short links',
    query: { product_id: textQuery },
    paged: true,
    answers: { items: shortLinkItemAnswer },
  },
  'POST /products/:id/short_links': {
    id: 'createShortLink',
    summary: "Make a short address of a product's checkout",
    body: {
      schema: shortLinkCreate,
      example: { slug: 'pro-plan', static_checkout_params: { quantity: '2' } },
    },
    answers: shortLinkAnswer,
    refusals: ['SLUG_ALREADY_TAKEN', 'PRODUCT_IS_DELETED'],
  },
}

import { imageOfferAnswer, productImageOfferAnswer } from '../answers/images.ts'
import type { DescribedRoutes } from './described.ts'
import { flagQuery } from './described.ts'

export const imagesDescribed: DescribedRoutes = {
  'PUT /products/:id/images': {
    id: 'updateProductImages',
    summary: 'Get an address to upload the image of a product',
    query: { force_update: flagQuery },
    answers: productImageOfferAnswer,
    refusals: ['BRAND_NOT_ENABLED'],
  },
  'PUT /brands/:id/images': {
    id: 'updateBrandImages',
    summary: 'Get an address to upload the image of a brand',
    answers: imageOfferAnswer,
    refusals: ['UNABLE_TO_EDIT_PRIMARY_BRAND', 'BRAND_NOT_ENABLED'],
  },
  'PUT /addons/:id/images': {
    id: 'updateAddonImages',
    summary: 'Get an address to upload the image of an add-on',
    answers: imageOfferAnswer,
  },
  'PUT /product-collections/:id/images': {
    id: 'updateProductCollectionImages',
    summary: 'Get an address to upload the image of a product collection',
    query: { force_update: flagQuery },
    answers: productImageOfferAnswer,
    refusals: ['PRODUCT_COLLECTION_IS_DELETED'],
  },
}
